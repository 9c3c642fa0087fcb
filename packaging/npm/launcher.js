#!/usr/bin/env node
// Runs the binary of this platform, which npm has installed as an optional dependency,
// with our arguments, our environment and our own standard streams: not a byte passes through here.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { isatty } = require('node:tty');
const { name, optionalDependencies } = require('./package.json');

function binary() {
  const prefix = `/${process.platform}-${process.arch}`;
  const fitting = Object.keys(optionalDependencies).filter((each) => `${each}-`.includes(`${prefix}-`));
  for (const each of fitting) {
    try {
      return require.resolve(`${each}/bin/${name}`);
    } catch {
      // Not this one: npm installs only what fits the C library, too.
    }
  }
  const why = fitting.length
    ? `${fitting.join(' or ')} is not installed. Was npm told to leave out optional dependencies? Install again without that`
    : `there is no prebuilt binary for ${process.platform} on ${process.arch}. Build it with cargo install`;
  process.stderr.write(`${name}: ${why}.\n`);
  process.exit(1);
}

function run(program, args) {
  if (process.execve) {
    // Newer Nodes can give their process away: then nothing of us stays, and the rest of this file is for the others.
    process.execve(program, [name, ...args]);
  }
  let child;
  // Before the binary starts, so that no signal finds us deaf while it runs.
  // At a terminal, Ctrl-C and Ctrl-\ reach the binary without us; twice would be once too often.
  const typed = isatty(0) ? ['SIGINT', 'SIGQUIT'] : [];
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGCONT']) {
    process.on(signal, () => typed.includes(signal) || child.kill(signal));
  }
  child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`${name}: ${program} can't be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code);
    }
    // We end as it ended. Where the signal is one that doesn't end us, by the number that a shell would give.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

run(binary(), process.argv.slice(2));
