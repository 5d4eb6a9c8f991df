//! What must hold of the rows of any run.

use lowpri::sim::{AttemptEnd, NodeState, NodeTime, Outcome};
use lowpri::study::{Doing, NodeTimeline};

/// Holds the rows of a run against its sums.
pub fn rows_add_up(outcome: &Outcome, nodes: &NodeTimeline) {
    let mut time = NodeTime::default();
    let (mut preempted, mut running) = (0, 0);
    let (mut init, mut useful, mut failed, mut lost) = (0, 0, 0, 0);
    for node in 0..nodes.nodes() {
        let mut until = 0;
        for span in nodes.spans(node, 0..outcome.end_ms + 1) {
            assert_eq!(span.from, until, "no gap and no overlap");
            until = span.to;
            let spent = span.to - span.from;
            match span.state {
                NodeState::Absent => {}
                NodeState::Waiting => time.waiting += spent,
                NodeState::Preparing => time.preparing += spent,
                NodeState::Idle => time.idle += spent,
                NodeState::Running => time.running += spent,
                NodeState::Leaving => time.leaving += spent,
                NodeState::Preempted => time.preempted += spent,
            }
            preempted += u64::from(span.state == NodeState::Preempted);
            running += u64::from(span.state == NodeState::Running);
            assert_eq!(span.job.is_some(), span.state == NodeState::Running);
            assert!(!nodes.describe_span(node, &span).is_empty());
        }
        assert_eq!(until, outcome.end_ms);
        for worker in 0..nodes.workers() {
            let mut until = 0;
            for (id, block) in nodes.blocks(node, worker, 0..outcome.end_ms + 1) {
                assert!(block.from >= until && (block.node, block.worker) == (node, worker));
                until = block.to;
                let spent = block.to - block.from;
                match block.doing {
                    Doing::Init | Doing::InitCut => init += spent,
                    Doing::Attempt(_, AttemptEnd::Succeeded) => useful += spent,
                    Doing::Attempt(_, AttemptEnd::Failed | AttemptEnd::TimedOut) => failed += spent,
                    Doing::Attempt(_, AttemptEnd::Lost) => lost += spent,
                }
                assert_eq!(nodes.block(id), Some(block));
                let lost = matches!(block.doing, Doing::InitCut | Doing::Attempt(_, AttemptEnd::Lost));
                let said = nodes.describe(&block);
                assert_eq!(said.contains(" when the "), lost, "it is known what cut it: {said}");
            }
        }
    }
    assert_eq!(time, outcome.node_ms);
    assert_eq!(preempted, outcome.preemptions);
    assert!(running >= outcome.jobs.iter().filter(|job| job.start_ms.is_some()).count() as u64);
    let workers = &outcome.worker_ms;
    assert_eq!((init, useful, failed, lost), (workers.init, workers.useful, workers.failed, workers.lost));
    assert_eq!(nodes.left_out().count(), 0);
}
