import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault } from '../fault.ts'

const gate = (goalMs: number) => ({ 'gate scenes': goalMs })

export const networkFaults: readonly Fault[] = [
  {
    name: 'network of a camera stands still for 20 s, its connection half open',
    goals: gate(6_000),
    lasts: true,
    async inject({ network }) {
      network.stall()
      await sleep(20_000)
      network.goOn()
    },
  },
  {
    name: 'network of a camera cut for 10 s',
    goals: gate(6_000),
    lasts: true,
    async inject({ network }) {
      await network.cut()
      await sleep(10_000)
      await network.mend()
    },
  },
]
