import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  // Relative, so that the console works below any prefix that a proxy gives the service.
  base: './',
  // The client's source, which needs no build.
  resolve: { conditions: ['aerie-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // Nothing inline: the Content-Security-Policy allows no data in the page but small pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
})
