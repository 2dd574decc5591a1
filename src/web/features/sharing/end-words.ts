/** The texts for a link that no longer opens its session, on its page and in the player. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('linkEnd', {
  headlines: {
    stopped: 'The owner has stopped sharing this session.',
    expired: 'This link has expired.',
    password: 'The owner has changed the password of this link.',
    gone: 'This link does not work.',
  },
  hints: {
    stopped: 'Ask the person who sent you the link whether they share it again.',
    expired: 'Ask the person who sent it to you for a new one.',
    password: 'Ask the person who sent it to you for the new one.',
    gone: 'It may be incomplete, or the owner has deleted the session.',
  },
  pictureStopped: 'The owner has stopped sharing this picture.',
})
