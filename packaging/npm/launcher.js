#!/usr/bin/env node
// Runs this platform's binary, which npm has installed as an optional dependency, with our arguments and
// environment. It inherits our standard streams, so no data passes through this process.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { isatty } = require('node:tty');
const { name, optionalDependencies } = require('./package.json');

function binary() {
  const prefix = `/${process.platform}-${process.arch}`;
  const candidates = Object.keys(optionalDependencies).filter((each) => `${each}-`.includes(`${prefix}-`));
  for (const each of candidates) {
    try {
      return require.resolve(`${each}/bin/${name}`);
    } catch {
      // Not this one: npm installs only the packages for the system's C library.
    }
  }
  const why = candidates.length
    ? `${candidates.join(' or ')} is not installed. Was npm told to leave out optional dependencies? Install again without that`
    : `there is no prebuilt binary for ${process.platform} on ${process.arch}. Build it with cargo install`;
  process.stderr.write(`${name}: ${why}.\n`);
  process.exit(1);
}

function run(program, args) {
  if (process.execve) {
    // Newer versions of Node.js can replace their process with the binary. The rest is for older versions.
    process.execve(program, [name, ...args]);
  }
  let child;
  // Set before the binary starts, so that no signal is missed while it runs.
  // At a terminal, Ctrl-C and Ctrl-\ reach the binary directly, so they must not be forwarded as well.
  const fromTerminal = isatty(0) ? ['SIGINT', 'SIGQUIT'] : [];
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGCONT']) {
    process.on(signal, () => fromTerminal.includes(signal) || child.kill(signal));
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
    // End with the same signal. If it doesn't end Node.js, exit with the status that a shell would report.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}

run(binary(), process.argv.slice(2));
