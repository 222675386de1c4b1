/**
 * Feeds the targets named on the command line, or all. Of those that are fed in the long form it writes the rows of
 * `docs/reliability.md`; those of others stay.
 */
import { machineLine } from '../support/machine-line.ts'
import { readReliability, writeReliability } from '../support/reliability-page.ts'
import { type FuzzArguments, parseFuzzArguments, USAGE } from './arguments.ts'
import { readRows, toFailedRow, toRow, toSection } from './result-table.ts'
import { runTarget } from './run-target.ts'
import { type FuzzTarget } from './target.ts'
import { fuzzTargets } from './targets.ts'

const { targets, seed, limit } = readArguments()
const failed: string[] = []
// Should nothing be left to wait for in the middle of it, Node would end this as if all were well.
process.exitCode = 1
for (const target of targets) {
  const counted = limit ?? { count: target.counts.long }
  const wanted = 'count' in counted ? `${counted.count} inputs` : `${counted.seconds} s`
  console.log(`${target.name}: ${wanted} from seed ${seed} on …`)
  try {
    const result = await runTarget(target, { seed, limit: counted })
    console.log(`  ${result.inputs} inputs, ${Math.round(result.inputs / result.seconds)} a second, no failure`)
    keepRow(target, toRow(target, result, seed))
  } catch (error) {
    console.error(error)
    failed.push(target.name)
    keepRow(target, toFailedRow(target, seed))
  }
}
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`)
process.exit(failed.length > 0 ? 1 : 0)

/** One after the other, so that a run that is broken off leaves what it has. */
function keepRow({ name }: FuzzTarget, row: string): void {
  if (limit) return
  const rows = readRows(readReliability('fuzz')).set(name, row)
  writeReliability('fuzz', toSection(rows, fuzzTargets, machineLine()))
}

function readArguments(): FuzzArguments {
  try {
    return parseFuzzArguments(process.argv.slice(2), fuzzTargets)
  } catch (error) {
    console.error(`${(error as Error).message} ${USAGE}`)
    process.exit(1)
  }
}
