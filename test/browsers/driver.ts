/**
 * What a journey needs of a browser, in the words that both remote protocols share: Firefox speaks
 * WebDriver BiDi, WebKit the classic WebDriver, and `page.ts` stands on either.
 */

export type BrowserName = 'firefox' | 'webkit'

/** By its name for assistive technology, as the browser itself computes it. */
export type Role = 'button' | 'dialog' | 'field' | 'heading' | 'link' | 'slider'

/** An element in the page, as the protocol refers to it. */
export type ElementReference = Readonly<Record<string, unknown>>

/** Actions have the same form in both protocols. */
export type KeyAction = { readonly type: 'keyDown' | 'keyUp'; readonly value: string }
export type PointerAction =
  | {
      readonly type: 'pointerMove'
      readonly x: number
      readonly y: number
      readonly duration: number
    }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: 0 }
export type InputActions =
  | { readonly type: 'key'; readonly id: string; readonly actions: readonly KeyAction[] }
  | { readonly type: 'pointer'; readonly id: string; readonly actions: readonly PointerAction[] }

/** One window of a browser profile of its own: nobody is signed in. */
export type Driver = {
  navigate(url: string): Promise<void>
  /** Calls a function's source in the page with an element and a JSON value; gives JSON back. */
  call(source: string, element: ElementReference | null, argument: unknown): Promise<unknown>
  /** All elements that a selector finds. */
  query(selector: string): Promise<ElementReference[]>
  /** All elements with this role and exactly this name, hidden ones too. */
  locate(role: Role, name: string): Promise<ElementReference[]>
  perform(actions: InputActions): Promise<void>
  setFiles(field: ElementReference, paths: readonly string[]): Promise<void>
  /** Of the page itself, without what the browser draws around it. */
  resize(size: { readonly width: number; readonly height: number }): Promise<void>
  /** A PNG of what is seen. */
  capture(): Promise<Buffer>
  close(): Promise<void>
}

export type InstalledBrowser = {
  /** A window of its own, as if nobody had used this browser before. */
  openWindow(): Promise<Driver>
  close(): Promise<void>
}

/** The form elements that carry a role, or are asked for by their label alone. */
export const candidatesOf: Readonly<Record<Role, string>> = {
  button: 'button, [role=button]',
  dialog: 'dialog, [role=dialog], [role=alertdialog]',
  field: 'input, textarea, select',
  heading: 'h1, h2, h3, h4, [role=heading]',
  link: 'a[href], [role=link]',
  slider: 'input[type=range], [role=slider]',
}

/** No answer of a browser is waited for longer than this. */
export const commandTimeoutMs = 60_000
