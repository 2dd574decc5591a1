/** The frames of pages, and who may open the pages in them. */
import { siteInPage } from '../site.ts'

/**
 * The frame of a page, and its audience: `show` has the whole screen; `visitor` is for signed-out visitors;
 * `member` and `admin` need a sign-in; `guest` is for members, and for guests if the site lets them see the
 * community; `anyone` has the frame that fits the visitor.
 */
export type FrameKind = 'show' | 'visitor' | 'member' | 'guest' | 'anyone' | 'admin'

export function needsSignIn(frame: FrameKind): boolean {
  return frame === 'member' || frame === 'admin'
}

/** Returns true if signed-out visitors may see the pages, and not only the reason why they may not. */
export function isOpenToVisitors(frame: FrameKind): boolean {
  return frame === 'guest' ? siteInPage()?.publicCommunity === true : !needsSignIn(frame)
}
