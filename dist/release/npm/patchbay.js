#!/usr/bin/env node
// Starts Patchbay. The first start downloads the program for this system and checks its digest.
"use strict";

const { spawn, spawnSync } = require("node:child_process");
const crypto = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { version, archives, url: release } = require("./archives.json");

const DOWNLOAD_BYTES_MAX = 512 * 1024 * 1024;
const REDIRECTS_MAX = 5;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Ends with a message. Standard output belongs to the program, so that this goes elsewhere. */
function fail(message) {
  process.stderr.write(`patchbay: ${message}\n`);
  process.exit(1);
}

function platform() {
  const system = { linux: "linux", darwin: "macos", win32: "windows" }[process.platform];
  const name = `${system}-${process.arch}`;
  if (!archives[name]) {
    fail(`There is no program for ${process.platform} on ${process.arch}. There is one for: ${Object.keys(archives).join(", ")}.`);
  }
  return name;
}

function cacheFolder() {
  if (process.env.XDG_CACHE_HOME) {
    return path.join(process.env.XDG_CACHE_HOME, "patchbay");
  }
  if (process.platform === "win32") {
    return path.join(process.env.LOCALAPPDATA || path.join(os.homedir(), "AppData", "Local"), "patchbay", "cache");
  }
  return path.join(os.homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache", "patchbay");
}

/** Writes what a URL or a path has to a file, and returns its SHA-256 digest. */
async function download(from, file) {
  const hash = crypto.createHash("sha256");
  const out = fs.createWriteStream(file, { mode: 0o600 });
  let bytes = 0;
  for await (const chunk of /^https?:/.test(from) ? await get(from) : fs.createReadStream(from)) {
    bytes += chunk.length;
    if (bytes > DOWNLOAD_BYTES_MAX) {
      throw new Error("the file is too large");
    }
    hash.update(chunk);
    if (!out.write(chunk)) {
      await new Promise((resolve, reject) => out.once("drain", resolve).once("error", reject));
    }
  }
  await new Promise((resolve, reject) => out.on("error", reject).end(resolve));
  return hash.digest("hex");
}

function get(url, redirects = 0) {
  return new Promise((resolve, reject) => {
    const client = require(url.startsWith("https:") ? "node:https" : "node:http");
    client.get(url, (answer) => {
      const target = answer.headers.location;
      if (answer.statusCode >= 300 && answer.statusCode < 400 && target) {
        answer.resume();
        const next = new URL(target, url).href;
        if (redirects === REDIRECTS_MAX || (url.startsWith("https:") && !next.startsWith("https:"))) {
          reject(new Error(`${url} leads to ${next}`));
        } else {
          get(next, redirects + 1).then(resolve, reject);
        }
      } else if (answer.statusCode !== 200) {
        answer.resume();
        reject(new Error(`${url} answered with status ${answer.statusCode}`));
      } else {
        resolve(answer);
      }
    }).on("error", reject);
  });
}

/** Puts the program into a folder that is named after its digest, and returns that folder. */
async function install(name) {
  const { file, sha256 } = archives[name];
  const cache = cacheFolder();
  const folder = path.join(cache, `${version}-${name}-${sha256.slice(0, 16)}`);
  if (fs.existsSync(folder)) {
    return folder;
  }
  if (process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime) {
    throw new Error("The program needs glibc, which this system does not have. Build it from the sources");
  }
  fs.mkdirSync(cache, { recursive: true });
  const work = fs.mkdtempSync(path.join(cache, "new-"));
  try {
    const base = process.env.PATCHBAY_DOWNLOAD_URL || release;
    process.stderr.write(`patchbay: downloading Patchbay ${version}, this once\n`);
    const archive = path.join(work, file);
    const digest = await download(`${base.replace(/\/$/, "")}/${file}`, archive);
    if (digest !== sha256) {
      throw new Error(`the digest of ${file} is ${digest}, and not ${sha256}. Nothing was installed`);
    }
    const tar = spawnSync("tar", ["-xzf", archive, "-C", work], { stdio: ["ignore", 2, 2] });
    if (tar.error || tar.status !== 0) {
      throw new Error(`the archive cannot be unpacked with tar: ${tar.error ? tar.error.message : "see above"}`);
    }
    // Renamed when it is complete. Another start may have been faster; its folder is as good.
    try {
      fs.renameSync(path.join(work, file.replace(/\.tar\.gz$/, "")), folder);
    } catch (e) {
      if (!fs.existsSync(folder)) {
        throw e;
      }
    }
    return folder;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

function run(folder) {
  const windows = process.platform === "win32";
  const program = path.join(folder, "bin", windows ? "patchbay.cmd" : "patchbay");
  const words = process.argv.slice(2);
  // A script of Windows can only be started by its shell, which needs quotes.
  const child = windows
    ? spawn(`"${program}"`, words.map((word) => `"${word.replace(/"/g, '""')}"`), { stdio: "inherit", shell: true })
    : spawn(program, words, { stdio: "inherit" });
  SIGNALS.forEach((signal) => process.on(signal, () => child.kill(signal)));
  child.on("error", (e) => fail(e.message));
  child.on("exit", (code, signal) => {
    if (signal) {
      SIGNALS.forEach((each) => process.removeAllListeners(each));
      process.kill(process.pid, signal);
    } else {
      process.exit(code);
    }
  });
}

install(platform()).then(run, (e) => fail(`${e.message}.`));
