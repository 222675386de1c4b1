// Writes the files that are made from the code: the OpenAPI and AsyncAPI documents, the list of errors, the example of all
// settings, the client's types. With --check it writes nothing and fails if one of them is not up to date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { importBundled } from './bundle.js'
import { root, setUp } from './setup.js'

await setUp()
const { createApp, createLog, exampleConfig, listErrors, loadConfig } = await importBundled(
  'app',
  'config/config',
  'config/example',
  'core/errors',
  'observe/log',
)

async function apiDocuments() {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-generate-'))
  const app = await createApp(loadConfig({ AERIE_DATA_DIR: folder }), createLog({ level: 'silent' }))
  try {
    await app.http.ready()
    const { body } = await app.http.inject('/asyncapi.json')
    return { openApi: toText(app.http.swagger()), asyncApi: toText(JSON.parse(body)) }
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}

function toText(document) {
  return `${JSON.stringify(document, null, 2)}\n`
}

function errorList() {
  const rows = listErrors().map(
    ({ code, status, message }) => `| ${status} | \`${code}\` | ${message.replaceAll('|', '\\|')} |`,
  )
  const head =
    '# Errors\n\nEvery error is an RFC 9457 problem (`application/problem+json`) with one of these codes. Generated from `src/core/errors.ts`.\n'
  return [head, '| status | code | detail |', '|---|---|---|', ...rows, ''].join('\n')
}

/** The types of `@aerie/client`. */
async function clientTypes(document) {
  const head = '/** Every operation and record of the API. Made from docs/openapi.json by `npm run generate`. */\n'
  return head + astToString(await openapiTS(JSON.parse(document)))
}

const { openApi, asyncApi } = await apiDocuments()
const files = {
  'docs/openapi.json': openApi,
  'docs/asyncapi.json': asyncApi,
  'clients/typescript/src/schema.ts': await clientTypes(openApi),
  'docs/errors.md': errorList(),
  'config.example.yml': exampleConfig(),
}

let isStale = false
for (const [name, text] of Object.entries(files)) {
  const path = join(root, name)
  if (process.argv.includes('--check')) {
    if (readFileSync(path, 'utf8') === text) continue
    console.error(`${name} is not what the code says; run \`npm run generate\`.`)
    isStale = true
  } else {
    writeFileSync(path, text)
  }
}
process.exit(isStale ? 1 : 0)
