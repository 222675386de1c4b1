import { useEffect, useRef, useState } from 'preact/hooks'

/** An age as it was answered, as it is by now: it counts on from each answer, by this browser's clock, which may be wrong. */
export function useCountedAge(ageMs: number): number {
  const answered = useRef({ ageMs, at: performance.now() })
  if (answered.current.ageMs !== ageMs) answered.current = { ageMs, at: performance.now() }
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return ageMs + performance.now() - answered.current.at
}
