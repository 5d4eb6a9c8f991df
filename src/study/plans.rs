//! The cheapest settings that hold a deadline.
//!
//! Candidates are all combinations of tier, size, instance count, mini-batch size and concurrency near the present
//! settings. They race: each round plays the candidates that are left some more with the same seeds, then drops those
//! that cannot hold the deadline any more (the upper end of the interval is below the confidence asked for), those
//! that are dearer and slower than another beyond doubt, and, of the rest, all but the best third. What is
//! cheap is *all money for each completed run*, so a plan that is cancelled half of the time is not.

mod words;

use super::chances::{difference_per_completed, mean_parts, per_completed};
use super::cost::CostParts;
use super::statistics::{Estimate, Share};
use super::task::{Done, Replications, Run, Study, Task};
use crate::azure::Catalogue;
use crate::scenario::words::{fine_money, percent};
use crate::scenario::{Goal, Prepared, Question};
use crate::sim::{Model, Ms, Settings, Tier, ms};
use serde::Serialize;

/// Most candidates of a race.
const MOST: usize = 500;
/// Replications that a candidate has had after each round.
const ROUNDS: [u32; 4] = [20, 80, 320, 1000];
/// Candidates that a round leaves at least.
const LEAST_LEFT: usize = 12;

/// A VM size that may be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeOption {
    /// Its name.
    pub name: String,
    /// vCPUs of a node.
    pub vcpus: u32,
    /// USD per node-hour on dedicated nodes, if known.
    pub dedicated_per_hour: Option<f64>,
    /// USD per node-hour on low priority, if known.
    pub low_priority_per_hour: Option<f64>,
}

impl SizeOption {
    /// The size of a question with its prices, and others of the catalogue that a plan may take instead. Those that are
    /// not known are left out.
    #[must_use]
    pub fn of(question: &Question, others: &[String], catalogue: &Catalogue) -> Vec<Self> {
        let own = &question.cluster.size.value;
        let others = others.iter().filter(|other| !other.eq_ignore_ascii_case(own));
        let priced = |name: &String, question: &Question| {
            Some(Self {
                name: name.clone(),
                vcpus: catalogue.size(name)?.vcpus,
                dedicated_per_hour: question.dedicated_rate(catalogue).map(|rate| rate.usd_per_hour),
                low_priority_per_hour: question.low_priority_rate(catalogue).map(|rate| rate.usd_per_hour),
            })
        };
        let others = others.filter_map(|name| {
            let mut question = question.clone();
            question.cluster.size.value.clone_from(name);
            // A typed price is that of the present size.
            question.assumptions.prices.dedicated_per_hour = None;
            question.assumptions.prices.low_priority_per_hour = None;
            priced(name, &question)
        });
        priced(own, question).into_iter().chain(others).collect()
    }
}

/// Settings that a plan may choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// VM size.
    pub size: String,
    /// Tier of the cluster.
    pub tier: Tier,
    /// Nodes of a job.
    pub instance_count: i64,
    /// Node slots: as they are, or as many as the job wants if that is more.
    pub max_instances: i64,
    /// Files in a mini-batch.
    pub mini_batch_size: i64,
    /// Workers on a node.
    pub max_concurrency_per_instance: i64,
}

/// What the race has found out about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It holds the deadline, as sure as was asked for.
    Holds,
    /// It seems to, but there are not enough runs to be sure.
    Perhaps,
    /// It does not hold the deadline as often as was asked for.
    Misses,
    /// It holds or may hold, but is dearer than others: dropped.
    Dearer,
}

/// A candidate and how it did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rated {
    /// The settings.
    pub candidate: Candidate,
    /// What was found out about it.
    pub standing: Standing,
    /// Replications it had.
    pub runs: u64,
    /// Runs that were completed by the deadline (without one: at all).
    pub held: Share,
    /// All money for each completed run, USD.
    pub usd_per_completed: Option<Estimate>,
    /// The time within which as many runs are completed as was asked for, in milliseconds; none: so many never are.
    pub surely_within_ms: Option<Ms>,
    /// What the money of a run goes into on the mean, USD.
    pub parts: CostParts,
    /// What it saves a completed run against the present settings, USD, paired.
    pub saving_usd: Option<Estimate>,
}

/// What the race says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plans {
    /// Candidates that were played.
    pub tried: usize,
    /// Combinations that were left out unplayed: too slow even undisturbed, or over the timeout.
    pub left_out: usize,
    /// How sure it should be.
    pub confidence: f64,
    /// The deadline, if there is one.
    pub deadline_ms: Option<Ms>,
    /// The present settings.
    pub present: Rated,
    /// The best ones: those that hold, by cost, then the others.
    pub best: Vec<Rated>,
    /// Of these, none is both dearer and slower than another: by cost.
    pub front: Vec<Rated>,
    /// Why the first of the best wins, in sentences.
    pub reasons: Vec<String>,
    /// Whether the race is over.
    pub finished: bool,
}

/// Rows of [`Plans::best`] at most.
const MOST_SHOWN: usize = 12;

struct Racer {
    candidate: Candidate,
    settings: Settings,
    runs: Replications,
    alive: bool,
    /// Dropped for its cost, not for the deadline.
    dearer: bool,
}

/// The race of candidates.
pub struct PlanStudy {
    goal: Goal,
    event_limit: u64,
    /// The first is the present settings.
    racers: Vec<Racer>,
    left_out: usize,
    round: usize,
}

impl PlanStudy {
    /// Candidates near the settings of a question, on any of `sizes`; the first of them is the present size.
    #[must_use]
    pub fn new(prepared: &Prepared, goal: Goal, sizes: &[SizeOption], event_limit: u64) -> Self {
        let base = prepared.model.settings();
        let present = Candidate {
            size: sizes.first().map_or_else(String::new, |size| size.name.clone()),
            tier: base.tier,
            instance_count: base.instance_count,
            max_instances: base.max_instances,
            mini_batch_size: base.mini_batch_size,
            max_concurrency_per_instance: base.max_concurrency_per_instance,
        };
        let racer = |candidate, settings| Racer {
            candidate,
            settings,
            runs: Replications::default(),
            alive: true,
            dearer: false,
        };
        let mut study = Self {
            goal,
            event_limit,
            racers: vec![racer(present.clone(), base.clone())],
            left_out: 0,
            round: 0,
        };
        let grid = Choices::near(base, sizes);
        for size in sizes {
            for (tier, rate) in
                [(Tier::LowPriority, size.low_priority_per_hour), (Tier::Dedicated, size.dedicated_per_hour)]
            {
                let Some(rate_per_hour) = rate else { continue };
                for candidate in grid.candidates(&size.name, tier, base.max_instances) {
                    if candidate == present {
                        continue;
                    }
                    let settings = Settings {
                        tier,
                        rate_per_hour,
                        vcpus: size.vcpus,
                        max_instances: candidate.max_instances,
                        instance_count: candidate.instance_count,
                        mini_batch_size: candidate.mini_batch_size,
                        max_concurrency_per_instance: candidate.max_concurrency_per_instance,
                        ..base.clone()
                    };
                    if study.can_hold(&settings) {
                        study.racers.push(racer(candidate, settings));
                    } else {
                        study.left_out += 1;
                    }
                }
            }
        }
        study
    }

    /// Whether there is any hope without playing: undisturbed and with all nodes from the beginning it is done in time,
    /// and a mini-batch is done before its timeout.
    fn can_hold(&self, settings: &Settings) -> bool {
        let Ok(model) = Model::new(settings.clone()) else { return false };
        let files = settings.workload.jobs.iter().map(|job| job.files as u32);
        let most = files.map(|files| model.mini_batches(files)).max().unwrap_or(0);
        // A run of this many mini-batches is at the limit of what can be played at all.
        if u64::from(most).saturating_mul(4) > self.event_limit {
            return false;
        }
        if settings.workload.seconds_per_file_cv != 0.0 {
            return true;
        }
        let attempt = model.mean_run_time();
        if attempt > ms(settings.timeout) {
            return false;
        }
        let nodes = settings.instance_count.min(settings.max_instances) as u64;
        let workers = nodes.saturating_mul(settings.max_concurrency_per_instance as u64).max(1);
        // The last mini-batch may be a small one.
        let turns = u64::from(most.saturating_sub(1)) / workers;
        let least = turns.saturating_mul(attempt + model.overhead());
        self.goal.deadline_seconds.is_none_or(|deadline| least <= ms(deadline))
    }

    fn holds(&self, run: &Run) -> bool {
        let deadline = self.goal.deadline_seconds.map(ms);
        run.is_completed() && deadline.is_none_or(|deadline| run.taken.is_some_and(|taken| taken <= deadline))
    }

    fn held(&self, racer: &Racer) -> Share {
        let held = racer.runs.runs().filter(|run| self.holds(run)).count();
        Share::new(held as u64, racer.runs.len() as u64)
    }

    /// The time within which as many runs are completed as was asked for.
    fn surely_within(&self, racer: &Racer) -> Option<Ms> {
        let mut taken: Vec<Ms> = racer.runs.runs().filter_map(|run| run.taken).collect();
        let needed = libm::ceil(self.goal.confidence * racer.runs.len() as f64) as usize;
        let place = needed.checked_sub(1).filter(|place| *place < taken.len())?;
        Some(*taken.select_nth_unstable(place).1)
    }

    fn rated(&self, racer: &Racer) -> Rated {
        let held = self.held(racer);
        let standing = if held.value < self.goal.confidence {
            Standing::Misses
        } else if racer.dearer {
            Standing::Dearer
        } else if held.low >= self.goal.confidence {
            Standing::Holds
        } else {
            Standing::Perhaps
        };
        let present = &self.racers[0];
        let pairs = racer.runs.pairs(&present.runs);
        let (rate, present_rate) = (racer.settings.rate_per_hour, present.settings.rate_per_hour);
        Rated {
            candidate: racer.candidate.clone(),
            standing,
            runs: racer.runs.len() as u64,
            held,
            usd_per_completed: per_completed(racer.runs.runs(), rate),
            surely_within_ms: self.surely_within(racer),
            parts: mean_parts(&racer.runs, &racer.settings),
            saving_usd: difference_per_completed(&pairs, rate, present_rate),
        }
    }

    /// Drops those that need not be played further.
    fn drop_the_beaten(&mut self) {
        let confidence = self.goal.confidence;
        let rated: Vec<Option<Rated>> =
            self.racers.iter().map(|racer| racer.alive.then(|| self.rated(racer))).collect();
        let mut dearer = vec![false; rated.len()];
        for (i, ours) in rated.iter().enumerate() {
            let Some(ours) = ours else { continue };
            let beaten = |other: &Rated| {
                let (Some(us), Some(them)) = (ours.usd_per_completed, other.usd_per_completed) else {
                    return ours.usd_per_completed.is_none();
                };
                let slower = match (ours.surely_within_ms, other.surely_within_ms) {
                    (Some(us), Some(them)) => us >= them,
                    (us, them) => us.is_none() && them.is_some(),
                };
                us.low > them.high && slower && other.held.value >= ours.held.value
            };
            dearer[i] = rated.iter().flatten().any(beaten);
        }
        let mut left: Vec<usize> = Vec::new();
        for (i, racer) in self.racers.iter_mut().enumerate().skip(1) {
            let Some(rated) = &rated[i] else { continue };
            if rated.held.high < confidence {
                racer.alive = false;
            } else if dearer[i] {
                (racer.alive, racer.dearer) = (false, true);
            } else {
                left.push(i);
            }
        }
        // Of the rest those go on that hold and are cheap, or that nobody is both cheaper and faster than.
        let usd = |i: usize| {
            let usd = rated[i].as_ref().and_then(|rated| rated.usd_per_completed);
            usd.map_or(f64::INFINITY, |usd| usd.value)
        };
        let within = |i: usize| rated[i].as_ref().and_then(|rated| rated.surely_within_ms).unwrap_or(Ms::MAX);
        left.sort_by(|&a, &b| usd(a).total_cmp(&usd(b)).then(within(a).cmp(&within(b))).then(a.cmp(&b)));
        let mut fastest = Ms::MAX;
        let mut on_front = Vec::new();
        for &i in &left {
            if within(i) < fastest {
                fastest = within(i);
                on_front.push(i);
            }
        }
        let rank = |i: usize| {
            let holds = rated[i].as_ref().is_some_and(|rated| rated.held.value >= confidence);
            (!holds, !on_front.contains(&i))
        };
        // Stable: by cost among those of one rank.
        left.sort_by_key(|&i| rank(i));
        let most = LEAST_LEFT.max(left.len().div_ceil(3));
        for &i in left.iter().skip(most) {
            (self.racers[i].alive, self.racers[i].dearer) = (false, true);
        }
    }

    /// What the race says by now; none before the first round is through.
    #[must_use]
    pub fn plans(&self) -> Option<Plans> {
        if self.racers[0].runs.len() == 0 {
            return None;
        }
        let played = self.racers.iter().filter(|racer| racer.runs.len() > 0);
        let mut rated: Vec<Rated> = played.map(|racer| self.rated(racer)).collect();
        let present = rated[0].clone();
        let usd = |rated: &Rated| rated.usd_per_completed.map_or(f64::INFINITY, |usd| usd.value);
        // Once it is over, only those that went all the way are sure enough to win.
        let finished = self.round > ROUNDS.len();
        let most = rated.iter().map(|rated| rated.runs).max().unwrap_or(0);
        rated.sort_by(|a, b| {
            let early = |rated: &Rated| finished && rated.runs < most;
            let key = |rated: &Rated| (early(rated), rated.standing);
            key(a).cmp(&key(b)).then(usd(a).total_cmp(&usd(b)))
        });
        let mut by_cost: Vec<&Rated> =
            rated.iter().filter(|rated| rated.runs == most && rated.surely_within_ms.is_some()).collect();
        by_cost.sort_by(|a, b| usd(a).total_cmp(&usd(b)).then(a.surely_within_ms.cmp(&b.surely_within_ms)));
        let mut fastest = Ms::MAX;
        let mut front = Vec::new();
        for rated in by_cost {
            let within = rated.surely_within_ms.unwrap_or(Ms::MAX);
            if within < fastest {
                fastest = within;
                front.push(rated.clone());
            }
        }
        rated.truncate(MOST_SHOWN);
        Some(Plans {
            tried: self.racers.len(),
            left_out: self.left_out,
            confidence: self.goal.confidence,
            deadline_ms: self.goal.deadline_seconds.map(ms),
            reasons: reasons(&rated[0], &present, &self.goal),
            present,
            best: rated,
            front,
            finished,
        })
    }
}

impl Study for PlanStudy {
    fn next(&mut self) -> Vec<Task> {
        if self.round > 0 && self.round <= ROUNDS.len() {
            self.drop_the_beaten();
        }
        let Some(&to) = ROUNDS.get(self.round) else {
            self.round = ROUNDS.len() + 1;
            return Vec::new();
        };
        let from = self.round.checked_sub(1).map_or(0, |before| ROUNDS[before]);
        self.round += 1;
        let alive = self.racers.iter().enumerate().filter(|(_, racer)| racer.alive);
        alive
            .map(|(variant, racer)| Task {
                variant: variant as u32,
                settings: racer.settings.clone(),
                counterpart: false,
                grid: None,
                from,
                to,
                event_limit: self.event_limit,
            })
            .collect()
    }

    fn take(&mut self, done: Done) {
        if let Some(racer) = self.racers.get_mut(done.variant as usize) {
            racer.runs.insert(&done);
        }
    }

    fn planned(&self) -> u64 {
        // What is left if every round to come drops two of three.
        let done: u64 = self.racers.iter().map(|racer| racer.runs.len() as u64).sum();
        let mut left = self.racers.iter().filter(|racer| racer.alive).count();
        let mut planned = done;
        for (round, &to) in ROUNDS.iter().enumerate() {
            let from = round.checked_sub(1).map_or(0, |before| ROUNDS[before]);
            if round + 1 == self.round {
                let missing = |racer: &&Racer| racer.alive && racer.runs.len() < to as usize;
                let racers = self.racers.iter().filter(missing);
                planned += racers.map(|racer| u64::from(to) - racer.runs.len() as u64).sum::<u64>();
            } else if round >= self.round {
                if round > 0 {
                    left = left.min(LEAST_LEFT.max(left.div_ceil(3)));
                }
                planned += left as u64 * u64::from(to - from);
            }
        }
        planned
    }
}

/// The values that are tried of each setting.
struct Choices {
    instance_counts: Vec<i64>,
    mini_batch_sizes: Vec<i64>,
    concurrencies: Vec<i64>,
}

impl Choices {
    /// Around the present values, so many that a race has at most [`MOST`] candidates.
    fn near(base: &Settings, sizes: &[SizeOption]) -> Self {
        let files = base.workload.jobs.iter().map(|job| job.files).max().unwrap_or(1);
        let vcpus = sizes.iter().map(|size| size.vcpus).max().unwrap_or(base.vcpus);
        let cores = base.workload.cores_per_worker;
        let workers =
            if cores > 0.0 { libm::ceil(f64::from(vcpus) / cores) as i64 } else { i64::from(vcpus) };
        let most_nodes = 16.max(base.instance_count.saturating_mul(4)).min(65_000);
        let mut choices = Self {
            instance_counts: around(
                &[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 200, 400, 1000, 3000, 10_000, 30_000],
                base.instance_count.min(base.max_instances),
                most_nodes,
                10,
            ),
            mini_batch_sizes: around(
                &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000],
                base.mini_batch_size.min(files),
                files,
                7,
            ),
            concurrencies: around(
                &[1, 2, 4, 8, 16, 32, 64, 128],
                base.max_concurrency_per_instance,
                workers.max(base.max_concurrency_per_instance),
                4,
            ),
        };
        let pools: usize = sizes
            .iter()
            .map(|size| {
                usize::from(size.dedicated_per_hour.is_some())
                    + usize::from(size.low_priority_per_hour.is_some())
            })
            .sum();
        let present = [base.instance_count, base.mini_batch_size, base.max_concurrency_per_instance];
        while choices.count() * pools.max(1) > MOST {
            let lists =
                [&mut choices.instance_counts, &mut choices.mini_batch_sizes, &mut choices.concurrencies];
            let longest = lists.into_iter().zip(present).max_by_key(|(list, _)| list.len());
            let Some((list, present)) = longest.filter(|(list, _)| list.len() > 1) else { break };
            // The value that is furthest from the present one goes.
            let distance = |value: i64| libm::fabs(libm::log(value as f64 / present.max(1) as f64));
            let furthest = (0..list.len()).max_by(|a, b| distance(list[*a]).total_cmp(&distance(list[*b])));
            if let Some(furthest) = furthest {
                list.remove(furthest);
            }
        }
        choices
    }

    fn count(&self) -> usize {
        self.instance_counts.len() * self.mini_batch_sizes.len() * self.concurrencies.len()
    }

    fn candidates(&self, size: &str, tier: Tier, max_instances: i64) -> Vec<Candidate> {
        let mut all = Vec::with_capacity(self.count());
        for &instance_count in &self.instance_counts {
            for &mini_batch_size in &self.mini_batch_sizes {
                for &max_concurrency_per_instance in &self.concurrencies {
                    all.push(Candidate {
                        size: size.to_owned(),
                        tier,
                        instance_count,
                        max_instances: max_instances.max(instance_count),
                        mini_batch_size,
                        max_concurrency_per_instance,
                    });
                }
            }
        }
        all
    }
}

/// So many of the ladder's steps up to `most` that are nearest to the present value, and that value.
fn around(ladder: &[i64], present: i64, most: i64, count: usize) -> Vec<i64> {
    let mut steps: Vec<i64> =
        ladder.iter().copied().filter(|step| *step <= most && *step != present).collect();
    let distance = |step: i64| libm::fabs(libm::log(step as f64 / present.max(1) as f64));
    steps.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    steps.truncate(count - 1);
    steps.push(present);
    steps.sort_unstable();
    steps
}

/// Why a plan wins over the present settings, in sentences.
fn reasons(winner: &Rated, present: &Rated, goal: &Goal) -> Vec<String> {
    let in_time = goal.deadline_seconds.is_some();
    let goal = match goal.deadline_seconds {
        Some(_) => format!("by the deadline in {} of the runs", percent(goal.confidence)),
        None => format!("in {} of the runs", percent(goal.confidence)),
    };
    if winner.standing == Standing::Misses {
        return vec![format!("None of the settings that were tried completes {goal}.")];
    }
    if winner.candidate == present.candidate {
        return vec![format!("The present settings are the cheapest that were found to complete {goal}.")];
    }
    let mut sentences = Vec::new();
    let in_time = if in_time { "in time in" } else { "in" };
    if present.standing == Standing::Misses {
        let held = percent(present.held.value);
        sentences.push(format!("The present settings complete {in_time} {held} of the runs only."));
    }
    if let Some(saving) = winner.saving_usd {
        let (usd, more) = (fine_money(saving.value.abs()), if saving.value >= 0.0 { "less" } else { "more" });
        sentences.push(format!("A completed run costs {usd} {more} than with the present settings."));
    }
    let mut moved: Vec<(&str, f64)> = winner
        .parts
        .named()
        .into_iter()
        .zip(present.parts.named())
        .map(|((_, what, ours), (_, _, theirs))| (what, ours - theirs))
        .collect();
    moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let whole = present.usd_per_completed.map_or(0.0, |usd| usd.value);
    for (what, usd) in moved.into_iter().take(3).filter(|(_, usd)| usd.abs() > 0.01 * whole) {
        let (less, usd) = (if usd < 0.0 { "less" } else { "more" }, fine_money(usd.abs()));
        sentences.push(format!("{usd} {less} a run for {what}."));
    }
    if winner.candidate.tier == Tier::Dedicated && present.candidate.tier == Tier::LowPriority {
        sentences.push("On dedicated nodes nothing is preempted.".to_owned());
    }
    sentences
}
