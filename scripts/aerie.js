// `npm start` and `npm run demo`: set up what is missing, then be the `aerie` command.
import { setUp } from './setup.js'

await setUp()
await import('../bin/aerie.js')
