/** The texts of the library. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('library', {
  loading: 'Loading your sessions',
  import: 'Import',
  trash: 'Trash',
  all: 'All',
  favourites: 'Favourites',
  noneLikeThat: 'No sessions found',
  noneFits: 'No session in your library matches these filters.',
  nothingYet: 'No sessions yet',
  howToBegin:
    'A session needs a title and one feed. It fills itself with pictures. Or import pictures from elsewhere.',

  // A card
  open: 'Open',
  openTitle: 'Open {title}',
  playTitle: 'Play {title}',
  favouriteTitle: 'Favourite {title}',
  addFavourite: 'Add to favourites',
  removeFavourite: 'Remove from favourites',
  moreFor: 'More for {title}',
  noSlidesYet: 'No slides yet',
  savedFromCommunity: 'saved from the community',

  // Offers to new users
  forYou: 'For you',
  ways: {
    feeds: 'Fill a session from feeds',
    byHand: 'Choose every slide yourself',
    own: 'Use your own pictures',
    community: 'See what others made',
  },
})
