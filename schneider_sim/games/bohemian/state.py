"""The rows of a block's space: where each thing lies that a deal needs while it is played (see lanes.py)."""

from ...compiled.lanes import LANES

TRICKS, DRAWS, HAND_SIZE, STOCK_SIZE = 16, 10, 6, 20
OPEN = 7  # the trick (from 0) from which a search by open cards plays double dummy, where endgames are looked up

# of the deal, shared by its two plays
WORDS = 0  # 4 rows of the generator
PACK = WORDS + 4 * LANES  # 32 rows: the shuffled pack, six cards for seat 0, six for seat 1, the stock top first
STOCK = PACK + 2 * HAND_SIZE * LANES
DEALT = PACK + 32 * LANES  # 2 rows: the hands of seat 0 and seat 1
TIES = DEALT + 2 * LANES  # 32 rows: the word of (seat, trick) at 16 * seat + trick
NOISE = TIES + 2 * TRICKS * LANES  # 32 rows likewise
FIRST = NOISE + 2 * TRICKS * LANES  # whether seat 0 is B

# of the play
TURN = FIRST + LANES  # the seat on lead
HOLD = TURN + LANES  # 2 rows: the leader's hand, the other's
SCORE = HOLD + 2 * LANES  # 2 rows: the leader's score word, the other's
SEEN = SCORE + 2 * LANES  # 17 rows: the cards played before each trick

# of the decision
HAND = SEEN + (TRICKS + 1) * LANES
LEGAL = HAND + LANES
UNSEEN = LEGAL + LANES
CANDIDATES = UNSEEN + LANES
BY_A = CANDIDATES + LANES  # all ones where A decides
WANTED = BY_A + LANES
SCRATCH = WANTED + LANES
LOSSLESS = SCRATCH + LANES  # the cards that an exact policy may choose from
LED = LOSSLESS + LANES  # the card on the table, 0 when there is none
KILLERS = LED + LANES  # the cards that capture it
REPLY = KILLERS + LANES

# of the record: written while recording only
LED_IN = REPLY + LANES  # 16 rows
REPLY_IN = LED_IN + TRICKS * LANES  # 16 rows
TURN_IN = REPLY_IN + TRICKS * LANES  # 17 rows, the last at the end of the play
HELD_IN = TURN_IN + (TRICKS + 1) * LANES  # 32 rows: the hands before each trick, leader's and other's
STOCK_END = HELD_IN + 2 * TRICKS * LANES  # 2 rows as SCORE, after the last draw
EVENTS = STOCK_END + 2 * LANES
LEAD_CHANGES = EVENTS + LANES

LAST_HANDS = LEAD_CHANGES + LANES  # 2 rows: the hands before trick 11, leader's and other's; for exact policies
FINAL = LAST_HANDS + 2 * LANES  # 2 rows: A's score word at the end of a deal's first and second play
LOSS = FINAL + 2 * LANES  # 2 rows: points that A, B lost in the last six tricks of the deal
KEPT = LOSS + 2 * LANES  # 16 rows: wanted cards of words that a decision needs more than once
SIZE = KEPT + 16 * LANES
