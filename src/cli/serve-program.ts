import { runCommand } from './run-command.ts'
import { serve } from './serve.ts'

/** `aerie serve` as a program of its own, which is compiled beforehand: nobody is served until it is ready. */
void runCommand(serve, process.argv.slice(3))
