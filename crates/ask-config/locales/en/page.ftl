### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = There is nothing here
page-nothing-here-says = No part of this page has that address.
page-without-scripts = Without JavaScript, answer in a terminal: run `ask-user` there.
page-to-inbox = To the inbox
page-other-host = This is not the page's address
# $address is that of this computer, for browsers on it.
page-other-host-says = On this computer it is { $address }. Phones use the address that `ask-user pair` prints.
page-other-site = Another site led here
page-other-site-says = Nothing is opened or sent for other sites. Go on from here yourself:
page-shut-out = Devices aren’t let in at the moment
page-shut-out-says = Nothing was sent. Turn it on at the computer: run “ask-user pair”, or use the page’s settings there. This device needs no new code.
