-- The words that sessions and media are sorted by. Administrators can add more.

create table tags (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  label text not null,
  description text not null default '',
  position integer generated always as identity
);

create table categories (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  name text not null,
  is_default boolean not null default false
);
create unique index categories_one_default on categories (is_default) where is_default;

insert into categories (slug, name, is_default) values
  ('uncategorized', 'Uncategorized', true),
  ('relaxing', 'Relaxing', false),
  ('story', 'Story', false),
  ('showcase', 'Showcase', false),
  ('challenge', 'Challenge', false),
  ('mood', 'Mood', false),
  ('education', 'Education', false);

insert into tags (slug, label, description) values
  ('photography', 'Photography', 'Taken with a camera'),
  ('illustration', 'Illustration', 'Drawn or painted'),
  ('animation', 'Animation', 'Pictures that move'),
  ('video', 'Video', 'Clips with or without sound'),
  ('landscape', 'Landscape', 'Land, sea and sky'),
  ('city', 'City', 'Streets, buildings and their lights'),
  ('nature', 'Nature', 'Plants, water and weather'),
  ('animals', 'Animals', 'Wild and tame'),
  ('portrait', 'Portrait', 'A person, with their consent'),
  ('couple', 'Couple', 'Two people, with their consent'),
  ('fashion', 'Fashion', 'Clothes and style'),
  ('fitness', 'Fitness', 'Sport and movement'),
  ('dance', 'Dance', 'Movement to music'),
  ('cosplay', 'Cosplay', 'Costumes and characters'),
  ('vintage', 'Vintage', 'From another time, or made to look so'),
  ('black-and-white', 'Black and white', 'Without colour'),
  ('abstract', 'Abstract', 'Shape, colour and texture'),
  ('macro', 'Macro', 'Very near'),
  ('night', 'Night', 'After dark'),
  ('minimal', 'Minimal', 'Little in the frame'),
  ('romantic', 'Romantic', 'Tender in mood'),
  ('playful', 'Playful', 'Light in mood'),
  ('hypnotic', 'Hypnotic', 'Slow, repeating, absorbing'),
  ('adult', 'Adult', 'For age-verified people only');
