/** A page may bring a stylesheet of its own; the build loads it with the page. */
declare module '*.css'
