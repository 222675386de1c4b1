// Runs a program that bundle.js made: a script beside what V8 made of its text, which Node 20 keeps of no module. Copied beside the program.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'

/** As stack traces call it, wherever it lies: V8 keeps the name that it was compiled by. */
const NAME = 'dist/cli/serve-program.cjs'

/** What another version of Node compiled is refused by V8 (`cachedDataRejected`), which then does so itself. */
export function toScript(file, cachedData) {
  // The bundler writes ASCII but for comments; read as UTF-8 these would double the memory that the text takes.
  const text = readFileSync(file, 'latin1')
  return new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: NAME,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

export function runCompiled(url) {
  const file = fileURLToPath(url)
  const module = { exports: {} }
  const program = toScript(file, readFileSync(`${file}.cache`)).runInThisContext()
  program(module.exports, createRequire(url), module, file, dirname(file))
}
