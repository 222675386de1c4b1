import { type Benchmark } from './benchmark.ts'
import { largeServiceRows } from './scaling-database.ts'
import { streamRows } from './scaling-streams.ts'

export const scaling: Benchmark = {
  name: 'scaling',
  title: 'What streams take of what nodes share',
  about:
    'For the arithmetic of docs/scaling.md. Two nodes; recorded streams of the demo clip that come to one of them, without processes, then with one and with four (model `fast`, each with its report, one with a webhook and a listener at the other node): statements that write, and bytes of the log of PostgreSQL, each less what was there before. Then the questions that each node asks again and again, in databases of as many nodes and processes as are named, each with five times as many that have ended, with a webhook and an alert at each that goes on and, of one in ten, 20 messages that wait among 100 that have arrived; and how many charges a second one account bears.',
  async run() {
    return [...(await streamRows()), ...(await largeServiceRows())]
  },
}
