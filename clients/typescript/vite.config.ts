import { defaultServerConditions, defineConfig } from 'vite'

/** For `vite-node`, which runs the examples on the client's source. */
export default defineConfig({
  ssr: { resolve: { conditions: ['aerie-source', ...defaultServerConditions] } },
})
