/** Loaded into the service and its children: their wall clock is off by as many milliseconds as a file says, as one that is set meanwhile is. */
import { readFileSync } from 'node:fs'

const file = process.env.CHAOS_CLOCK_FILE
const RealDate = Date
let offsetMs = 0

function look() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    // Nobody has set it yet.
  }
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs)
    else super(...args)
  }
  static now() {
    return RealDate.now() + offsetMs
  }
}
look()
setInterval(look, 100).unref()
