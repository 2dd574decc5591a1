/**
 * The browser operations that the tests need, as both remote protocols offer them. Firefox speaks
 * WebDriver BiDi, WebKit the classic WebDriver. `page.ts` works with both.
 */

export type BrowserName = 'firefox' | 'webkit'

/** The accessible role, as the browser computes it. */
export type Role = 'button' | 'dialog' | 'field' | 'heading' | 'link' | 'slider'

/** The protocol's reference to an element in the page. */
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

/** One window with a browser profile of its own, signed out. */
export type Driver = {
  navigate(url: string): Promise<void>
  /** Calls a function's source in the page with an element and a JSON value. Returns JSON. */
  call(source: string, element: ElementReference | null, argument: unknown): Promise<unknown>
  /** Returns all elements that match a selector. */
  query(selector: string): Promise<ElementReference[]>
  /** Returns all elements with this role and exactly this name, including hidden ones. */
  locate(role: Role, name: string): Promise<ElementReference[]>
  perform(actions: InputActions): Promise<void>
  setFiles(field: ElementReference, paths: readonly string[]): Promise<void>
  /** Sets the size of the page itself, without the browser's own controls. */
  resize(size: { readonly width: number; readonly height: number }): Promise<void>
  /** Returns a PNG of the visible page. */
  capture(): Promise<Buffer>
  close(): Promise<void>
}

export type InstalledBrowser = {
  /** Opens a window with a fresh profile. */
  openWindow(): Promise<Driver>
  close(): Promise<void>
}

/** Selectors of the elements that can have each role. Fields are found by their label alone. */
export const candidatesOf: Readonly<Record<Role, string>> = {
  button: 'button, [role=button]',
  dialog: 'dialog, [role=dialog], [role=alertdialog]',
  field: 'input, textarea, select',
  heading: 'h1, h2, h3, h4, [role=heading]',
  link: 'a[href], [role=link]',
  slider: 'input[type=range], [role=slider]',
}

/** The longest wait for an answer of a browser. */
export const commandTimeoutMs = 60_000
