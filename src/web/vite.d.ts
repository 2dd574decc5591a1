/** Types that the build adds: imported stylesheets, and files found by a pattern. */
/// <reference types="vite/client" />

/** The smaller build of hls.js has no types. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
