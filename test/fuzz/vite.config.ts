import { defineConfig } from 'vite'

/** For what runs TypeScript outside the test runner: packages as Node loads them, whatever they offer to bundlers. */
export default defineConfig({ ssr: { resolve: { mainFields: [] } }, resolve: { mainFields: [] } })
