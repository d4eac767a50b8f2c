/** What was proposed in the four weeks before the demo, and what became of it. Data. */
export type PastOutcome = 'confirmed' | 'dismissed' | 'put aside' | 'left open'

/** Days ago, hour, what, why, what became of it, and the reason that was given. */
export type PastProposal = readonly [number, number, string, string, PastOutcome, string?]

/** Oldest first. Nothing of the last days is what the built-in rules would propose first: that would not come again so soon. */
export const PAST: readonly PastProposal[] = [
  [27, 10, 'Take a short walk around the block', 'The morning is long, and you want to move every day.', 'confirmed'],
  [26, 16, 'Sort the letters on the shelf', 'It is small, and it has been on your list for a week.', 'dismissed', 'not at work'],
  [25, 12, 'Eat lunch in the park', 'The sun is out, and you sat all morning.', 'confirmed'],
  [23, 19, 'Call your sister', 'You want to see family more often; a call is a beginning.', 'confirmed'],
  [22, 11, 'Read twenty pages of the novel on your table', 'Two books a month are eight pages a day.', 'left open'],
  [21, 17, 'Water the plants on the balcony', 'It did not rain this week.', 'confirmed'],
  [19, 10, 'Stretch for ten minutes', 'You were at the screen for three hours.', 'put aside'],
  [19, 10, 'Walk to the library and back', 'It is twenty minutes there, and your book is due.', 'confirmed'],
  [18, 15, 'Tidy one drawer', 'The afternoon has its low; this takes ten minutes.', 'dismissed', 'too tired'],
  [17, 18, 'Cook something you have never cooked', 'It is Saturday, and the evening is yours.', 'confirmed'],
  [15, 14, 'Invite a friend for dinner, by telephone', 'You have not seen one another this month.', 'confirmed'],
  [14, 11, 'Clean the windows of the kitchen', 'It is on your list, and the light is good.', 'dismissed', 'it rains'],
  [13, 9, 'Have breakfast without a screen', 'The day begins.', 'confirmed'],
  [12, 16, 'Take the bicycle to the river', 'You did not move yesterday.', 'left open'],
  [11, 20, 'Read one chapter before bed', 'You finished the last book nine days ago.', 'confirmed'],
  [9, 10, 'Write a postcard to your grandmother', 'Her birthday is next week.', 'dismissed', 'no stamps at home'],
  [9, 15, 'Buy stamps, and walk there', 'The postcard waits for them.', 'confirmed'],
  [7, 13, 'Meet your neighbour for a coffee outside', 'You were asked twice.', 'confirmed'],
  [6, 17, 'Swim for half an hour', 'The pool is open until eight on this day.', 'dismissed', 'too crowded after work'],
  [5, 12, 'Eat something warm away from the desk', 'It is around noon.', 'confirmed'],
  [4, 16, 'Carry the empty bottles away', 'It is small, and you need no screen for it.', 'put aside'],
  [4, 16, 'Look at the clouds for five minutes', 'You were at the screen for four hours.', 'confirmed'],
  [3, 18, 'Play the piece that you know by heart', 'The evening is yours.', 'left open'],
  [2, 11, 'Air the rooms, and make the bed anew', 'The morning is long.', 'confirmed'],
  [1, 10, 'Bring the old clothes to the shop at the corner', 'They have stood at the door since Monday.', 'dismissed', 'closed today'],
  [1, 19, 'Cook together with somebody', 'You want to see friends more often.', 'confirmed'],
]
