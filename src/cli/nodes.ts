import { loadConfig } from '../config/config.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { notForgotten } from '../nodes/nodes.service.ts'
import { requireLatestSchema } from '../storage/migrate.ts'
import { type Command, parse, say, toNumberWithin, UsageError } from './command.ts'
import { waitForDrained } from './drain-wait.ts'
import { openInstalled } from './installed-database.ts'
import { createKnownNodes, type KnownNode, type KnownNodes } from './known-nodes.ts'
import { toTable } from './table.ts'

const options = {
  json: { type: 'boolean' },
  undo: { type: 'boolean' },
  wait: { type: 'boolean' },
  timeout: { type: 'string' },
} as const

const DEFAULT_TIMEOUT_S = 600
const MAX_TIMEOUT_S = 86_400

/** The operator's way to the nodes of a service: works on the database itself, whichever of them run. */
export const nodes: Command = {
  usage: `nodes [--json]
  aerie nodes drain NAME [--wait [--timeout SECONDS]]
                                       (it gives its processes and cameras to others, one at a time, and is given nothing more;
                                       --wait: until that is done, ${DEFAULT_TIMEOUT_S} s at most unless --timeout says otherwise)
  aerie nodes drain NAME --undo
  aerie nodes forget NAME              (a dead one that will not come back)`,
  summary: 'List the machines of a service of several, take one out of service, and forget one that is gone.',
  async run(args) {
    const { values, positionals } = parse(args, options)
    const [action = 'list', name, ...rest] = positionals
    const act = actions[action]
    if (!act) throw new UsageError(`there is no \`aerie nodes ${action}\``)
    if (action !== 'list' && !name) throw new UsageError('the name of a node is missing')
    if (rest.length > 0) throw new UsageError(`one node at a time: ${rest.join(', ')} is too much`)
    const timeoutS = toNumberWithin(values.timeout ?? String(DEFAULT_TIMEOUT_S), '--timeout', 1, MAX_TIMEOUT_S)
    const database = await openInstalled(loadConfig(process.env, 'config.yml'), 'there are no nodes')
    try {
      await requireLatestSchema(database.db)
      await act({ known: createKnownNodes(database.db), name: name ?? '', values, timeoutS, clock: systemClock, say })
    } finally {
      await database.close()
    }
  },
}

export interface NodesCall {
  readonly known: KnownNodes
  readonly name: string
  readonly values: { readonly json?: boolean; readonly undo?: boolean; readonly wait?: boolean }
  readonly timeoutS: number
  readonly clock: Clock
  readonly say: (text: string) => void
}

export const actions: Readonly<Record<string, (call: NodesCall) => Promise<void>>> = {
  async list({ known, values, say }) {
    const all = await known.list()
    if (values.json) return say(JSON.stringify(all.map(toJson), null, 2))
    if (all.length === 0) return say('This service has one node; docs/several-machines.md says how to add a second.')
    say(toTable([HEADS, ...all.map(toRow)]))
    const { processes, cameras } = await known.countUnplaced()
    if (processes + cameras > 0) say(`\nWithout a node now: processes ${processes}, cameras ${cameras}.`)
  },

  async drain({ known, name, values, timeoutS, clock, say }) {
    if (values.undo && values.wait) throw new UsageError('--undo is done at once; leave --wait out')
    await known.find(name)
    await known.setDraining(name, !values.undo)
    if (values.undo) return say(`${name} takes processes again; what it gave away stays where it is.`)
    say(`${name} is given nothing more, and gives away what it has.`)
    const others = (await known.list()).filter(({ id, state }) => id !== name && state === 'alive')
    if (others.length === 0) say('No other node takes it: let one take processes again, or add one.')
    if (values.wait) await waitForDrained(name, timeoutS * 1000, { find: (id) => known.find(id), say, clock })
  },

  async forget({ known, name, say }) {
    if (!(await known.forget(name))) throw notForgotten(name, (await known.find(name)).state)
    say(`${name} is forgotten. A node that starts by this name joins anew.`)
  },
}

const HEADS = ['NAME', 'STATE', 'PROCESSES', 'CAMERAS', 'STREAMS', 'ROOM', 'FREE CORES', 'VERSION', 'LABELS', 'RTSP']

function toRow({ id, state, work, load, version, labels, rtspUrl }: KnownNode): string[] {
  return [
    id,
    state,
    String(work.processes),
    String(work.cameras),
    String(work.streams),
    load?.room?.toString() ?? '–',
    load ? `${Math.max(0, load.freeCores).toFixed(1)} of ${load.cores}` : '–',
    version,
    labels.length === 0 ? '–' : labels.join(','),
    rtspUrl ?? 'pushed',
  ]
}

function toJson({ id, state, work, load, version, labels, rtspUrl, startedAt }: KnownNode) {
  return {
    node: id,
    state,
    started_at: new Date(startedAt).toISOString(),
    version,
    labels,
    load: load && { cores: load.cores, free_cores: Math.max(0, load.freeCores), room: load.room },
    ...work,
    rtsp_url: rtspUrl,
  }
}
