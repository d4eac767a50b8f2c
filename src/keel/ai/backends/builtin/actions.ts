/** What can be done away from the screen at any place, by goal and by time of day. Data. */

/** The first words that a person's goals hold decide; several actions a goal, so that days differ. */
export const GOAL_ACTIONS: readonly { readonly words: RegExp; readonly goal: string; readonly actions: readonly string[] }[] = [
  {
    words: /\b(?:fit(?:ness)?|exercis\w*|sport\w*|running|run|jog\w*|walk\w*|steps|weight|gym|marathon|health\w*)\b/i,
    goal: 'moving more',
    actions: [
      'Put your shoes on and walk around the block for fifteen minutes',
      'Do ten squats and ten push-ups, slowly',
      'Stretch your back, hips and shoulders for five minutes',
    ],
  },
  {
    words: /\b(?:read(?:ing)?|books?|novels?)\b/i,
    goal: 'reading',
    actions: ['Read ten pages of a printed book', 'Choose the next book from your shelf and read its first chapter'],
  },
  {
    words: /\b(?:famil\w*|friends?|mum|mom|mother|dad|father|parents?|kids?|children|partner|relationships?)\b/i,
    goal: 'the people close to you',
    actions: [
      'Call somebody you have not talked to for a while',
      'Write a postcard or a short letter by hand to somebody you like',
      'Ask somebody at home or nearby how their day is going, and listen',
    ],
  },
  {
    words: /\b(?:sleep\w*|rest\w*|tired|burn-?out|stress\w*|calm\w*|meditat\w*|mindful\w*|anxi\w*)\b/i,
    goal: 'rest',
    actions: ['Sit somewhere quiet and breathe slowly for five minutes', 'Lie down for ten minutes with your eyes closed and no phone'],
  },
  {
    words: /\b(?:guitar|piano|music\w*|instrument\w*|violin|drums?|sing\w*)\b/i,
    goal: 'making music',
    actions: [
      'Practise one difficult passage on your instrument for fifteen minutes',
      'Play or sing one piece you love from beginning to end',
    ],
  },
  {
    words: /\b(?:cook\w*|nutrition|diet\w*|eat\w*|meals?)\b/i,
    goal: 'eating well',
    actions: ['Prepare the vegetables for your next meal', 'Look through the fridge and write a shopping list on paper'],
  },
  {
    words: /\b(?:tid(?:y|ying)|declutter\w*|clean\w*|household|garden\w*|plants?)\b/i,
    goal: 'a home that feels good',
    actions: [
      'Clear and wipe one surface: the desk, the table or the sink',
      'Water the plants and take off what has withered',
      'Fill one bag with things that you no longer need',
    ],
  },
  {
    words: /\b(?:writ(?:e|ing)|journal\w*|draw\w*|sketch\w*|paint\w*|art)\b/i,
    goal: 'making things by hand',
    actions: ['Fill one page by hand with whatever is on your mind', 'Draw something that stands in front of you, in ten minutes'],
  },
  {
    words: /\b(?:learn\w*|language\w*|stud(?:y|ying)|exams?|vocabulary)\b/i,
    goal: 'learning',
    actions: [
      'Explain aloud, without looking anything up, what you last learned',
      'Write ten things that you want to remember on paper cards',
    ],
  },
]

export const LONG_SCREEN_TIME: readonly string[] = [
  'Stand at a window and look at something far away for two minutes, then stretch',
  'Leave the room and walk outside for ten minutes, without the phone',
  'Refill your glass of water and drink it standing, away from the desk',
]

/** By the hour from which it holds, until the next one. */
export const DAY_ACTIONS: readonly { readonly from: number; readonly part: string; readonly actions: readonly string[] }[] = [
  {
    from: 0,
    part: 'It is late',
    actions: ['Put everything away and go to bed', 'Write what is still on your mind on paper, then turn off the light'],
  },
  {
    from: 5,
    part: 'The day begins',
    actions: [
      'Open a window, and stretch for five minutes',
      'Write the three things that matter today on paper',
      'Make the bed, and breakfast without a screen',
    ],
  },
  {
    from: 10,
    part: 'The morning is long',
    actions: ['Walk through the building or around it for ten minutes', 'Clear your desk of all that is not needed today'],
  },
  { from: 12, part: 'It is around noon', actions: ['Eat something away from the desk', 'Take a walk of fifteen minutes in daylight'] },
  {
    from: 14,
    part: 'The afternoon has its low',
    actions: ['Make yourself a tea, and drink it at a window', 'Walk up and down the stairs twice', 'Tidy one drawer'],
  },
  {
    from: 18,
    part: 'The evening is yours',
    actions: [
      'Go for a walk before it gets late',
      'Prepare what you need tomorrow: bag, clothes, keys',
      'Cook something simple from scratch',
    ],
  },
  {
    from: 22,
    part: 'The day ends',
    actions: [
      'Lay the phone in another room and get ready for bed',
      'Read a few pages on paper in bed',
      'Write down one thing that went well today',
    ],
  },
]
