//! `targets::hook` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ask_fuzz::targets::hook::run(bytes));
