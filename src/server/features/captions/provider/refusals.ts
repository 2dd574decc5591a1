/** Recognises refusals, and those about minors. */

/** Returns the fault of a refusal. One that mentions minors is final. */
export function refusalFault(words: string): 'policy' | 'minor' {
  return aboutMinors.test(words) ? 'minor' : 'policy'
}

/** True when an answer is a refusal in plain words instead of a caption. */
export function isRefusalText(answer: string): boolean {
  return spokenRefusal.test(answer.trim())
}

const aboutMinors =
  /\bminors?\b|\bchild(?:ren|like)?\b|\bunder[- ]?age|\bunder (?:the age of )?(?:18|eighteen)\b|\bteen|\bCSAM\b|\bkids?\b|\byouth/i

const sorry =
  /(?:i['’]m|i am) (?:really |very |so )?sorry|(?:sorry|apologies)[,.]? (?:but )?(?:i|this|that)\b/
const unable = /(?:unfortunately|however),? i(?: can| am|['’]m)|i(?: am|['’]m) (?:unable|not able)/
const wontWord =
  /i (?:can(?:not|['’]t)|won['’]t|will not|must decline|have to decline)(?: to)? (?:help (?:with|you)|assist|comply|caption|describe|write|create|generate|provide|fulfil|engage|do that)/

const spokenRefusal = new RegExp(
  `^["“]?(?:${sorry.source}|${unable.source}|${wontWord.source}|as an ai\\b)`,
  'i',
)
