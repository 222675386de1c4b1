import { type ProcessInfo } from '@aerie/client'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { chartSpan } from './chart-span.ts'

/** Five minutes, as often as a process is asked for. */
const KEPT = 150
const HEIGHT = 180

/** Frames a second and latency over the time for which one looks. */
export function FiguresChart({ process }: { process: ProcessInfo }) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const points = useRef<[number[], (number | null)[], (number | null)[]]>([[], [], []])

  useEffect(() => {
    const host = place.current!
    const made = new uPlot(optionsFor(host, points.current[0]), points.current, host)
    chart.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: HEIGHT }))
    observer.observe(host)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [])

  useEffect(() => {
    const { processed_fps, latency_ms_p50 } = process.stats
    const [times, fps, latencies] = points.current
    times.push(Date.now() / 1000)
    fps.push(processed_fps)
    latencies.push(latency_ms_p50)
    for (const list of points.current) if (list.length > KEPT) list.shift()
    chart.current?.setData(points.current)
  }, [process])

  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Speed and latency</h2>
      <div ref={place} class="chart" role="img" aria-label="Frames a second and latency over the last minutes" />
    </section>
  )
}

/** `times` grow with what is drawn. */
function optionsFor(host: HTMLElement, times: readonly number[]): uPlot.Options {
  const colour = (name: string) => getComputedStyle(host).getPropertyValue(name).trim()
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } }
  return {
    width: host.clientWidth,
    height: HEIGHT,
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      // Not by what uPlot suggests, which of a single moment is a thousand days.
      x: { range: () => chartSpan(times, Date.now() / 1000) },
      fps: { range: (_chart, _low, high) => [0, Math.max(5, high * 1.2)] },
      ms: { range: (_chart, _low, high) => [0, Math.max(50, high * 1.2)] },
    },
    series: [
      {},
      { label: 'fps', scale: 'fps', stroke: colour('--accent'), width: 2 },
      { label: 'latency, ms', scale: 'ms', stroke: colour('--warm'), width: 2, dash: [6, 4] },
    ],
    axes: [
      { ...axis, values: (_chart, times) => times.map(timeOf), space: 90 },
      { ...axis, scale: 'fps' },
      { ...axis, scale: 'ms', side: 1, grid: { show: false } },
    ],
  }
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString()
