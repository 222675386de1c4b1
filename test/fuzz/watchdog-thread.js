// The thread of `watchdog.ts`: looks whether the other one comes on.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'

const { state, bytes, name, folder, maxStandstillMs } = workerData
let known = -1
let sinceMs = 0

setInterval(() => {
  const current = Atomics.load(state, 0)
  if (current !== known) {
    known = current
    sinceMs = performance.now()
  }
  if (state[1] > 0 && performance.now() - sinceMs > maxStandstillMs) end()
}, 1000)

function end() {
  mkdirSync(folder, { recursive: true })
  const inputs = Buffer.from(bytes.subarray(0, state[2]))
  for (let at = 0; at + 4 <= inputs.length;) {
    const input = inputs.subarray(at + 4, at + 4 + inputs.readUInt32BE(at))
    const file = join(folder, `${createHash('sha256').update(input).digest('hex').slice(0, 16)}.bin`)
    writeFileSync(file, input)
    writeSync(2, `${name}: an input is not done with after ${maxStandstillMs} ms; it is kept in ${file}.\n`)
    at += 4 + input.length
  }
  process.kill(process.pid, 'SIGKILL')
}
