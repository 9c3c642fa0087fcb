//! `targets::sse` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ask_fuzz::targets::sse::run(bytes));
