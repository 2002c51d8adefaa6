// Where the daemon lives: the same rule as every other client's.
//
// Owns: which of option, variable and default wins, and who may own a socket. Must not know: what is sent over it.

import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DaemonUnavailable, SocketPathError, UntrustedServer } from "./errors.js";

export const MAX_SOCKET_PATH_BYTES = 107; // sun_path holds 108 bytes on Linux, the last one a NUL

/** The agent home, absolute: the option, `$SOONG_AGENT_HOME`, `~/.soong-agent`. @param {string} [given] @returns {string} */
export function homePath(given, env = process.env) {
  return absolute(given || env.SOONG_AGENT_HOME || path.join(env.HOME || os.homedir(), ".soong-agent"), env);
}

/**
 * The daemon's socket, absolute. An option beats every variable, so `home` alone names the socket of that home.
 * @param {{home?: string, socket?: string}} [given] @returns {string}
 * @throws {SocketPathError} the path is longer than a socket address can hold
 */
export function socketPath({ home, socket } = {}, env = process.env) {
  const chosen = socket || (home ? "" : env.SOONG_MEMORYD_SOCKET);
  const found = chosen ? absolute(chosen, env) : path.join(homePath(home, env), "memoryd", "memoryd.sock");
  const bytes = Buffer.byteLength(found);
  if (bytes > MAX_SOCKET_PATH_BYTES)
    throw new SocketPathError(
      `the socket path has ${bytes} bytes, a socket address holds ${MAX_SOCKET_PATH_BYTES}: ` +
        `set SOONG_MEMORYD_SOCKET to a shorter path, for example /run/user/${os.userInfo().uid}/memoryd.sock`,
    );
  return found;
}

/** Where clients of that home leave what the daemon has not acknowledged. @param {string} home @returns {string} */
export const outboxDirectory = (home) => path.join(home, "memoryd", "outbox");

/**
 * Node cannot ask the kernel who is behind a Unix socket, so the files have to do: the socket and its directory belong to
 * this user (or root), and nobody else may put another socket there.
 * @param {string} socket
 */
export async function checkOwner(socket) {
  let stats;
  try {
    stats = await Promise.all([fs.stat(socket), fs.stat(path.dirname(socket))]);
  } catch (error) {
    throw new DaemonUnavailable(`no daemon answers at ${socket}`, undefined, { cause: error });
  }
  const mine = process.getuid?.();
  if (stats.some(({ uid }) => mine !== undefined && uid !== mine && uid !== 0))
    throw new UntrustedServer("the socket, or the directory around it, belongs to another user: nothing was sent to it");
  const sticky = 0o1000;
  if (stats[1].mode & 0o022 && !(stats[1].mode & sticky))
    throw new UntrustedServer("others may write to the directory around the socket: nothing was sent to it");
}

/** @param {string} given @param {NodeJS.ProcessEnv} env */
function absolute(given, env) {
  const expanded = given === "~" || given.startsWith("~/") ? path.join(env.HOME || os.homedir(), given.slice(1)) : given;
  return path.resolve(expanded);
}
