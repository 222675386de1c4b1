/** One measurement. It starts what it needs, measures, cleans up, and answers rows for the page. */
export interface Benchmark {
  readonly name: string
  readonly title: string
  /** What is measured and why it matters, in a sentence or two. */
  readonly about: string
  run(): Promise<readonly Row[]>
}

export interface Row {
  readonly what: string
  readonly value: string
  /** What we promise, if anything. */
  readonly goal?: string
  readonly isMet?: boolean
}

export const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
export const percent = (share: number) => `${(share * 100).toFixed(1)} %`
