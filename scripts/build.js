// The service's half of `npm run build`; the console's is Vite's.
import { bundlePrograms } from './bundle.js'

await bundlePrograms()
