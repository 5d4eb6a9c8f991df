//! A text in the fragment of an address, and back: `#`, version, `.`, and the text deflated, with its checksum behind
//! it, as base64url without padding.
//!
//! Deflated text and checksum (Adler-32) are what zlib writes after its header of two bytes; the header may be there as
//! well, and the checksum may be missing.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

/// The version that is written.
pub const VERSION: u32 = 1;

/// The longest text that travels, in bytes.
pub const LONGEST: usize = 1 << 20;

/// Letters lose their last bits when a link is cut off between them.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Bytes of zlib's header.
const HEADER: [u8; 2] = [0x78, 0xda];

/// The fragment of a text.
pub fn pack(text: &str) -> String {
    let deflated = compress_to_vec_zlib(text.as_bytes(), 9);
    let rest = deflated.get(HEADER.len()..).unwrap_or_default();
    format!("#{VERSION}.{}", BASE64.encode(rest))
}

/// What a fragment holds.
#[derive(Debug, Default)]
pub struct Unpacked {
    /// The version, if it says one.
    pub version: Option<u32>,
    /// The text, as far as it could be had.
    pub text: String,
    /// Why it is not all of it, or not what was sent.
    pub damage: Option<&'static str>,
    /// Whether its end is missing.
    pub is_cut: bool,
}

/// The text of a fragment. Mail programs break lines and put marks around links: those are passed over.
pub fn unpack(fragment: &str) -> Unpacked {
    let letters: String = fragment.chars().filter(|c| !c.is_whitespace()).collect();
    let letters = letters.trim_start_matches(['#', '<', '"']);
    let mut unpacked = Unpacked::default();
    let Some((version, data)) = letters.split_once('.') else {
        unpacked.damage = Some("this is not a link to a scenario");
        return unpacked;
    };
    unpacked.version = version.parse().ok();
    let data = data.trim_end_matches(['>', '"', '.', ',', ')', '=']);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '/');
    let end = data.find(|c| !is_letter(c)).unwrap_or(data.len());
    // The letters of plain base64 are taken for those of base64url.
    let mut letters = data[..end].replace('+', "-").replace('/', "_");
    if letters.len() % 4 == 1 {
        letters.pop();
    }
    let bytes = BASE64.decode(letters).unwrap_or_default();
    let (inflated, status) = inflate(&bytes);
    (unpacked.damage, unpacked.is_cut) = match status {
        TINFLStatus::Done if end == data.len() => (None, false),
        TINFLStatus::Done => (Some("something was added to the end of the link"), false),
        TINFLStatus::HasMoreOutput => (Some("the link holds more than 1 MiB: the rest is passed over"), true),
        TINFLStatus::Adler32Mismatch => (Some("the link is damaged: this may not be what was sent"), false),
        TINFLStatus::FailedCannotMakeProgress if end == data.len() => (Some("the link is cut off"), true),
        _ => (Some("the link is damaged: it can be read up to some place"), true),
    };
    unpacked.text = match String::from_utf8(inflated) {
        Ok(text) => text,
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            if unpacked.damage.is_none() {
                unpacked.damage = Some("the link holds more than text: it can be read up to some place");
            }
            unpacked.is_cut = true;
            let mut bytes = error.into_bytes();
            bytes.truncate(valid);
            String::from_utf8(bytes).unwrap_or_default()
        }
    };
    unpacked
}

/// Inflates at most [`LONGEST`] bytes.
fn inflate(bytes: &[u8]) -> (Vec<u8>, TINFLStatus) {
    let has_header = matches!(bytes, [0x78, flags, ..] if (0x7800 + u32::from(*flags)).is_multiple_of(31));
    let with_header: Vec<u8> =
        if has_header { bytes.to_vec() } else { HEADER.iter().chain(bytes).copied().collect() };
    let mut out = vec![0; LONGEST];
    let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let zlib =
        flags | inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER | inflate_flags::TINFL_FLAG_COMPUTE_ADLER32;
    let mut state = Box::<DecompressorOxide>::default();
    let (mut status, _, length) = decompress(&mut state, &with_header, &mut out, 0, zlib);
    out.truncate(length);
    if status == TINFLStatus::FailedCannotMakeProgress {
        // Perhaps only the checksum is missing.
        let mut again = vec![0; LONGEST];
        let mut state = Box::<DecompressorOxide>::default();
        let deflated = with_header.get(HEADER.len()..).unwrap_or_default();
        if decompress(&mut state, deflated, &mut again, 0, flags).0 == TINFLStatus::Done {
            status = TINFLStatus::Done;
        }
    }
    (out, status)
}
