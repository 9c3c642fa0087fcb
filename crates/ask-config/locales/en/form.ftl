### The page without scripts: what waits, and each ask as a form.

form-pair = This device was not let in yet. Open this page with scripts, and run `ask-user pair` at the computer:
form-sign-in = To answer here, sign this browser in: run `ask-user web --print` and paste the link that it prints.
form-link = The link, or its key
form-sign-in-button = Sign in
form-wrong-key = This key opens nothing: it was used before, or is older than two minutes. Run `ask-user web --print` again.
form-waiting = What waits for you
form-send = Send
form-send-gaps = Send all the same
form-gaps = Not sent: something is missing or does not fit. It is marked below.
form-gap = This question needs an answer, or this answer does not fit it.
form-torn = “None of these” and a choice are both marked here: take one of them back.
form-note = A note to this answer
form-note-all = A note to all answers
form-back = Back to what waits
form-again = This form was too old: nothing was sent. Here it is again.
form-say-what = Not sent: say what you want to know.

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = There is nothing here
form-nothing-here-says = No part of this page has that address.
form-without-scripts = Without JavaScript, a plain form does the same.
form-to-page = To the inbox
form-gone = This question is not here
form-gone-says = It was deleted, or its address isn't whole.
form-other-host = This is not the page's address
# $address is that of this computer, for browsers on it.
form-other-host-says = On this computer it is { $address }. Phones use the address that `ask-user pair` prints.
form-other-site = Another site led here
form-other-site-says = Nothing is opened or sent for other sites. Go on from here yourself:
form-only-sees = This device only sees questions
form-only-sees-says = Nothing was sent. Answer at the computer, or let this device in again there so that it may answer.
form-shut-out = Devices aren’t let in at the moment
form-shut-out-says = Nothing was sent. Turn it on at the computer: run “ask-user pair”, or use the page’s settings there. This device needs no new code.
form-too-much = That was too much
form-too-much-says = Nothing was sent. Go back, and send less at once.
form-not-taken = That was not taken
form-not-taken-says = Nothing was sent. Go back, and try it once more.
form-no-hub = That can't be done just now
form-no-hub-says = Go back, and try again in a moment. `ask-user doctor` tells what is wrong.
form-kept-meanwhile = Nothing was sent: this browser is not signed in. What you filled in is kept until you are.
form-signed-in = You are signed in. Nothing was sent yet: look at it again, and send it.
form-yours = What you had typed
form-overheard = Not encrypted: whoever is on the same network can read along and act in your place.
form-only-sees-asks = This device may only see questions. Answer at the computer, or let this device in again there so that it may answer.
