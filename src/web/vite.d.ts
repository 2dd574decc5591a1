/** What the build adds to the language: stylesheets that a page brings, files found by a pattern. */
/// <reference types="vite/client" />

/** The smaller build of what plays films in pieces comes without its types. */
declare module 'hls.js/light' {
  export { default } from 'hls.js'
}
