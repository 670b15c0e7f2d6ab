from inventory.items import Item


def test_take():
    assert Item("bolt", 3).take(2) == 1
