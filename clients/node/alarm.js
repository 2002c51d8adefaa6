// A time limit that does not ring because this very process was held up: what came meanwhile is read first.
//
// Owns: the grace after a stall. Must not know: what is waited for.

const STALL_MS = 100; // a timer that is later than this was kept from ringing by a blocked event loop
const GRACE_MS = 250;

/**
 * Ring after `ms`, once; after a stall, a moment later. An agent that loads for seconds at its start must not take an answer
 * that has long been there for none.
 * @param {number} ms @param {() => void} ring @returns {() => void} cancels it
 */
export function alarm(ms, ring) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const arm = (/** @type {number} */ left, /** @type {boolean} */ forgiving) => {
    const due = Date.now() + left;
    timer = setTimeout(() => (forgiving && Date.now() - due > STALL_MS ? arm(GRACE_MS, false) : ring()), left);
  };
  arm(Math.max(ms, 1), true);
  return () => clearTimeout(timer);
}

/**
 * What `work` gives within `ms`; else what `late` throws.
 * @template T @param {Promise<T>} work @param {number} ms @param {() => Error} late @returns {Promise<T>}
 */
export async function within(work, ms, late) {
  /** @type {() => void} */
  let cancel = () => {};
  const rung = new Promise((/** @type {(value: never) => void} */ _resolve, reject) => {
    cancel = alarm(ms, () => reject(late()));
  });
  return Promise.race([work, rung]).finally(() => cancel());
}
