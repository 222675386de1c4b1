/** The import rules bite: each forbidden import, planted in a copy of the source, is found by the tool that `npm run check` runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const forbidden = [
  ['src/core/planted.ts', '../storage/schema.ts', 'core-imports-only-what-it-may'],
  ['src/core/planted-io.ts', 'node:fs', 'core-does-no-io'],
  ['src/storage/planted.ts', '../accounts/api-key.ts', 'storage-imports-only-what-it-may'],
  ['src/cluster/planted.ts', '../accounts/api-key.ts', 'cluster-imports-only-what-it-may'],
  ['src/alerts/planted-node.ts', '../cluster/node.store.ts', 'features-never-import-each-other'],
  ['src/accounts/planted.ts', '../config/config.ts', 'features-never-import-each-other'],
  ['src/processes/planted-mp4.ts', '../media/mp4/mp4-boxes.ts', 'files-of-video-only-for-recordings'],
  ['src/timeline/planted-ts.ts', '../media/mpegts/planted-packet.ts', 'files-of-video-only-for-recordings'],
  ['src/timeline/planted.ts', '../recordings/recordings.store.ts', 'features-never-import-each-other'],
  ['src/contacts/planted.ts', '../delivery/delivery.module.ts', 'features-never-import-each-other'],
  ['src/clips/planted.ts', '../cutting/planted-part.ts', 'features-never-import-each-other'],
  ['src/alerts/planted-cutting.ts', '../cutting/planted-part.ts', 'cutting-messages-only-for-clips'],
  ['src/cutting/planted.ts', '../recordings/recordings.store.ts', 'cutting-imports-only-what-it-may'],
  ['src/cutting/planted-run.ts', '../pipeline/run.ts', 'cutting-imports-only-what-it-may'],
  ['src/media/mpegts/planted.ts', '../../recordings/recordings.store.ts', 'media-imports-only-what-it-may'],
  ['src/processes/planted-answer.ts', '../http/send-video-file.ts', 'http-only-for-routes'],
  ['src/accounts/planted-http.ts', 'fastify', 'fastify-fastify-fastify-type-provider-zod-scalar-stays-at-its-border'],
  ['src/accounts/planted-sql.ts', 'kysely', 'kysely-libsql-pg-pg-cursor-stays-at-its-border'],
  ['src/accounts/planted-store.ts', 'aws4fetch', 'aws-fetch-stays-at-its-border'],
  ['src/contacts/planted-mail.ts', 'nodemailer', 'nodemailer-stays-at-its-border'],
  ['src/clips/planted-av.ts', 'node-av', 'node-av-onnxruntime-node-stays-at-its-border'],
  ['src/api/planted.ts', '../accounts/accounts.service.ts', 'api-knows-routes-not-services'],
  ['src/core/planted-tool.ts', 'vitest', 'no-dev-dependency-in-product'],
  ['src/accounts/planted-app.ts', '../app.ts', 'entry-points-are-imported-by-nobody'],
  ['src/processes/planted-features.ts', '../features.ts', 'what-composes-is-imported-by-the-app-only'],
  ['console/src/planted.ts', '../../src/core/clock.ts', 'the-console-knows-only-the-client'],
  ['player/planted.js', '../src/core/clock.ts', 'the-player-stands-alone'],
  ['src/pipeline/planted.ts', './track/tracker.ts', 'only-composers-import-stages'],
  ['src/pipeline/track/planted.ts', '../detect/detector.ts', 'a-stage-never-imports-another-stage'],
  ['src/media/rtmp/wire/planted.ts', '../demux/metadata.ts', 'a-wire-knows-neither-side'],
  ['src/media/rtmp/demux/planted.ts', '../server/limits.ts', 'a-demuxer-knows-neither-side'],
  ['src/media/rtmp/client/planted.ts', '../server/limits.ts', 'server-and-client-never-import-each-other'],
  ['src/media/rtsp/planted.ts', '../../accounts/api-key.ts', 'media-imports-only-what-it-may'],
  ['src/media/planted/wire/planted-wire.ts', '../client/planted-client.ts', 'a-wire-knows-neither-side'],
  ['src/media/planted/server/planted.ts', '../client/planted-client.ts', 'server-and-client-never-import-each-other'],
] as const

/** What the recipes of CONTRIBUTING.md have somebody write who adds a protocol, and what recorded video is read and cut by. */
const allowed = [
  ['src/media/planted/client/planted-client.ts', '../wire/planted-format.ts'],
  ['src/media/planted/wire/planted-format.ts', '../../rtsp/wire/rtcp.ts'],
  ['src/pipeline/send/planted-sink.ts', '../../media/planted/client/planted-client.ts'],
  ['src/media/mpegts/planted-packet.ts', '../mp4/mp4-boxes.ts'],
  ['src/recordings/planted-piece.ts', '../media/mpegts/planted-packet.ts'],
  ['src/media/hls/planted-piece.ts', '../mpegts/planted-packet.ts'],
  ['src/cutting/planted-part.ts', '../pipeline/encode/h264-encoder.ts'],
  ['src/cutting/planted-av.ts', 'node-av'],
] as const

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

let copy: string
let violations: Violation[]

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'aerie-imports-'))
  for (const name of ['src', 'console/src', 'player', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs'])
    cpSync(name, join(copy, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  for (const [file, imported] of [...forbidden, ...allowed]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), `import * as planted from '${imported}'\nexport const use = planted\n`)
  }
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const { stdout } = spawnSync(process.execPath, [cruiser, '--output-type=json', 'src', 'console/src', 'player'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  violations = (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}, 120_000)
afterAll(() => rmSync(copy, { recursive: true }))

test.each(forbidden)('%s may not import %s', (file, _imported, rule) => {
  expect(violations.filter(({ from }) => from === file).map(({ rule: { name } }) => name)).toContain(rule)
})

test.each(allowed)('%s may import %s', (file) => {
  expect(violations.filter(({ from }) => from === file)).toEqual([])
})
