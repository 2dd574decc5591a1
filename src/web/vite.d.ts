/** What the build adds to the language: stylesheets that a page brings, files found by a pattern. */
/// <reference types="vite/client" />
