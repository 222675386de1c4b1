/**
 * What goes first where there is no room, and is kept for the shortest time: 0 is what nothing was seen in, or what can be made again;
 * 1 is what shows something; 2 is what an alert is about.
 */
export type Importance = 0 | 1 | 2
