/** The texts of the library. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('library', {
  loading: 'Loading your sessions',
  import: 'Import',
  trash: 'Trash',
  all: 'All',
  favourites: 'Favourites',
  noneLikeThat: 'No session like that',
  noneFits: 'Nothing in your library fits these filters.',
  nothingYet: 'Nothing on the screen yet',
  howToBegin:
    'A session needs a title and one feed. It fills itself. Or bring pictures from elsewhere.',

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
    own: 'Bring your own pictures',
    community: 'Look at what others made',
  },
})
