/** The library's smaller build has the same interface, but no declaration of its own. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
