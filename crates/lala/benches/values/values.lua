-- The programs of values.lala in Lua 5.1, as one would write them there.
local function fib(n) if n < 2 then return n else return fib(n - 1) + fib(n - 2) end end
local function map(xs, f) local out = {} for i = 1, #xs do out[i] = f(xs[i]) end return out end
local function filter(xs, f) local out = {} for i = 1, #xs do if f(xs[i]) then out[#out + 1] = xs[i] end end return out end
local function sum(xs) local total = 0 for i = 1, #xs do total = total + xs[i] end return total end
local function range(from, to) local out = {} for i = from, to - 1 do out[#out + 1] = i end return out end
local function name(i) return "n" .. tostring(i) end
local function fill(n) local t = {} for i = 0, n - 1 do t[name(i)] = i end return t end
local function copy(t) local out = {} for k, v in pairs(t) do out[k] = v end return out end

local tasks = {}
function tasks.calls() return fib(25) end
function tasks.lists()
  return sum(map(range(0, 100), function(round)
    return sum(filter(map(range(0, 1000), function(x) return x * x + round end), function(x) return x % 3 == 0 end))
  end))
end
function tasks.scopes() -- the older tables are not kept: they would take gigabytes
  local total, t = 0, fill(2000)
  for i = 0, 19999 do
    t = copy(t)
    t[name(i % 2000)] = 2000 + i
    total = total + t["n1999"]
  end
  return total
end
function tasks.lookups()
  local total, t = 0, fill(2000)
  for i = 0, 199999 do
    local found = t[name(i % 4000)]
    if found == nil then total = total + 1 else total = total + found end
  end
  return total
end
function tasks.visible()
  local total, scope = 0, {}
  for i = 0, 1999 do
    scope[#scope + 1] = { name = name(i), type = i % 50 }
    total = total + #filter(scope, function(s) return s.type == i % 50 end)
  end
  return total
end

for _, task in ipairs({ "calls", "lists", "scopes", "lookups", "visible" }) do
  local best, result = math.huge, nil
  for _ = 1, tonumber(arg[1]) do
    local start = os.clock()
    result = tasks[task]()
    best = math.min(best, os.clock() - start)
  end
  print(string.format("%s %.6f %.0f", task, best, result))
end
