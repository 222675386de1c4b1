import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type OnnxElement, type OnnxGraph } from './convert/onnx-graph.ts'
import { writeOnnx } from './convert/onnx-writer.ts'
import { openSession } from './onnx-session.ts'

interface Echo {
  readonly length?: number
  readonly rounds?: number
  readonly element?: OnnxElement
}

/** Answers the bytes it was given as integers, after as much idle work as `rounds` says. */
function echo({ length = 4, rounds = 0, element = 'int32' }: Echo = {}): Uint8Array {
  const to = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 }[element]
  const steps = Array.from({ length: rounds }, (_, index) => ({
    operator: 'Erf',
    inputs: [`step${index}`],
    outputs: [`step${index + 1}`],
  }))
  const graph: OnnxGraph = {
    name: 'echo',
    inputs: [{ name: 'image', element: 'uint8', shape: [1, length] }],
    outputs: [{ name: 'echo', element, shape: [1, length] }],
    nodes: [
      { operator: 'Cast', inputs: ['image'], outputs: ['step0'], attributes: { to: 1 } },
      ...steps,
      { operator: 'Cast', inputs: [`step${rounds}`], outputs: ['echo'], attributes: { to } },
    ],
    constants: new Map(),
  }
  return writeOnnx(graph)
}

describe('openSession', () => {
  test('lets the library send its maker nothing', async () => {
    const session = await openSession({ model: echo() })
    await session.run(Uint8Array.of(1, 2, 3, 4))
    await session.close()
    // What the part that reports leaves behind as soon as it is there.
    expect(existsSync(join(tmpdir(), `mat-debug-${process.pid}.log`))).toBe(false)
  })

  test('runs a model on one picture after the other', async () => {
    const session = await openSession({ model: echo() })
    expect(session.plan.picture.shape).toEqual([1, 4])
    expect([...(await session.run(Uint8Array.of(1, 2, 3, 255))).echo!]).toEqual([1, 2, 3, 255])
    expect([...(await session.run(Uint8Array.of(9, 8, 7, 6))).echo!]).toEqual([9, 8, 7, 6])
    await session.close()
  })

  test('answers 64-bit integers as ordinary numbers', async () => {
    const session = await openSession({ model: echo({ element: 'int64' }) })
    expect(session.outputs).toEqual({ echo: { name: 'echo', shape: [1, 4] } })
    expect([...(await session.run(Uint8Array.of(1, 2, 3, 255))).echo!]).toEqual([1, 2, 3, 255])
    await session.close()
  })

  test('leaves the event loop free while a model works', async () => {
    const session = await openSession({ model: echo({ length: 1_000_000, rounds: 200 }) })
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await session.run(new Uint8Array(1_000_000))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
    await session.close()
  })

  test('the picture may be overwritten as soon as the run has been asked for', async () => {
    const session = await openSession({ model: echo() })
    const picture = Uint8Array.of(1, 2, 3, 4)
    const running = session.run(picture)
    picture.fill(0)
    expect([...(await running).echo!]).toEqual([1, 2, 3, 4])
    await session.close()
  })

  test('refuses a second run while one is under way', async () => {
    const session = await openSession({ model: echo() })
    const first = session.run(new Uint8Array(4))
    await expect(session.run(new Uint8Array(4))).rejects.toThrow(/is busy/)
    await first
    await session.close()
  })

  test('refuses a picture of another size', async () => {
    const session = await openSession({ model: echo() })
    await expect(session.run(new Uint8Array(5))).rejects.toThrow(/takes a picture of 4 bytes, but got 5/)
    await session.close()
  })

  test('closing waits for the run that is under way, and may be repeated', async () => {
    const session = await openSession({ model: echo({ length: 1_000_000, rounds: 20 }) })
    const running = session.run(new Uint8Array(1_000_000))
    await Promise.all([session.close(), session.close()])
    await expect(running).resolves.toHaveProperty('echo')
    await session.close()
  })

  test('refuses to run after it was closed', async () => {
    const session = await openSession({ model: echo() })
    await session.close()
    await expect(session.run(new Uint8Array(4))).rejects.toThrow(/has been closed/)
  })

  test.each([
    { name: 'a file that is not ONNX', model: Buffer.from('not a model') },
    { name: 'a model that answers bytes', model: echo({ element: 'uint8' }) },
  ])('refuses $name', async ({ model }) => {
    await expect(openSession({ model })).rejects.toThrow(/The model cannot be loaded/)
  })
})
