import { type SystemInfo } from '@aerie/client'
import { ask } from '../ask.ts'
import { Notice } from '../frame/notice.tsx'
import { usePolled } from '../polling.ts'
import { api } from '../service.ts'
import { sizeWords } from '../size-words.ts'
import { Gauge } from './gauge.tsx'
import { coresWords, ofWords, roomWords } from './usage-words.ts'

const REFRESH_MS = 3_000

/** What takes how much of the machine, and how much more it bears. */
export function SystemPage() {
  const { data, problem } = usePolled(() => ask(api.GET('/system')), REFRESH_MS)
  return (
    <>
      <h1>System</h1>
      <Notice sentence={problem.value} />
      {data.value && <Report system={data.value} />}
    </>
  )
}

function Report({ system }: { system: SystemInfo }) {
  const { cpu, memory, disk } = system
  const room = system.room.filter(({ streams }) => streams > 0)
  const usedBytes = memory.total_bytes - memory.available_bytes
  return (
    <>
      <Notice kind={system.limited_by === null && room.length > 0 ? 'good' : 'calm'} sentence={system.summary} />
      <div class="gauges">
        <Gauge name="CPU" used={cpu.used_cores ?? 0} total={cpu.cores}>
          {cpu.used_cores === null ? 'not measured yet' : `${coresWords(cpu.used_cores)} of ${cpu.cores} cores`}
        </Gauge>
        <Gauge name="Memory" used={usedBytes} total={memory.total_bytes}>
          {sizeWords(usedBytes)} of {sizeWords(memory.total_bytes)}
        </Gauge>
        <Gauge name="Disk" used={disk.held_bytes} total={disk.limit_bytes}>
          {sizeWords(disk.held_bytes)} kept, of {sizeWords(disk.limit_bytes)} that may be
        </Gauge>
      </div>
      {room.length > 0 && <p>Room for more, each looked at five times a second: {roomWords(room)}.</p>}
      <ProcessTable processes={system.processes} />
      <PartTable system={system} />
      <HeldTable recordings={system.recordings} />
    </>
  )
}

function ProcessTable({ processes }: Pick<SystemInfo, 'processes'>) {
  if (processes.length === 0) return <p>No process of yours, or of your child keys, is running.</p>
  return (
    <section aria-labelledby="processes">
      <h2 id="processes">Processes</h2>
      <table class="usage">
        <thead>
          <tr>
            <th>Stream</th>
            <th class="wide-only">User</th>
            <th class="wide-only">Model</th>
            <th class="wide-only">Priority</th>
            <th>Looked at</th>
            <th class="wide-only">Latency (95 %)</th>
            <th>Cores</th>
            <th>Memory</th>
            <th class="wide-only">Video kept</th>
          </tr>
        </thead>
        <tbody>
          {processes.map((one) => (
            <tr key={one.process_uuid}>
              <td class="name">
                <a href={`#/live/${one.process_uuid}`}>{one.source_alias ?? one.process_uuid}</a>
              </td>
              <td class="wide-only">{one.username}</td>
              <td class="wide-only">{one.model}</td>
              <td class="wide-only">{one.priority}</td>
              <td>{ofWords(one.processed_fps, one.input_fps)}</td>
              <td class="wide-only">{one.latency_ms_p95 === null ? '–' : `${Math.round(one.latency_ms_p95)} ms`}</td>
              <td>{coresWords(one.used_cores)}</td>
              <td>{sizeWords(one.memory_bytes)}</td>
              <td class="wide-only">{one.held_bytes === 0 ? '–' : sizeWords(one.held_bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface Part {
  readonly name: string
  readonly used_cores: number | null
  readonly memory_bytes: number
}

function PartTable({ system: { parts, streams, others } }: { system: SystemInfo }) {
  const rows: Part[] = [
    ...parts,
    ...streams.map(({ path, ...usage }) => ({ ...usage, name: `recording and HLS of ${path}` })),
  ]
  if (others.memory_bytes > 0) rows.push({ ...others, name: 'what works for keys that are not yours' })
  return (
    <PlainTable
      title="The service itself"
      heads={['Part', 'Cores', 'Memory']}
      rows={rows.map((part) => [part.name, coresWords(part.used_cores), sizeWords(part.memory_bytes)])}
    />
  )
}

function HeldTable({ recordings }: Pick<SystemInfo, 'recordings'>) {
  if (recordings.length === 0) return null
  return (
    <PlainTable
      title="Recordings"
      heads={['Source', 'User', 'Kept']}
      rows={recordings.map(({ alias, username, held_bytes }) => [alias, username, sizeWords(held_bytes)])}
    />
  )
}

interface PlainTableProps {
  readonly title: string
  readonly heads: readonly string[]
  /** The first of each is a name, which may be long. */
  readonly rows: readonly (readonly string[])[]
}

function PlainTable({ title, heads, rows }: PlainTableProps) {
  return (
    <section>
      <h2>{title}</h2>
      <table class="usage">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column} class={column === 0 ? 'name' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
