### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = 这里什么也没有
page-nothing-here-says = 没有这个地址的页面。
page-without-scripts = 没有 JavaScript 时，请在终端运行 `ask-user` 来回答。
page-to-inbox = 前往收件箱
page-other-host = 这不是页面的地址
# $address is that of this computer, for browsers on it.
page-other-host-says = 在这台电脑上是 { $address }。手机请用 `ask-user pair` 给出的地址。
page-other-site = 另一个网站把你带到了这里
page-other-site-says = 不会为其他网站打开或发送任何内容。请从这里自行继续：
page-shut-out = 目前不允许任何设备进入
page-shut-out-says = 没有发送任何内容。请在电脑上运行“ask-user pair”，或在那里的页面设置中开启。此设备不需要新的验证码。
